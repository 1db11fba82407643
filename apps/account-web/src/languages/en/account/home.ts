export const home = {
  title: "Your account",
  signedInAs: "You are signed in as {{email}}.",
  signOut: "Sign out",
};
