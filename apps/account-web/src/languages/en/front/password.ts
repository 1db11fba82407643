export const password = {
  newPassword: "New password",
  hint_one: "At least {{count}} character.",
  hint_other: "At least {{count}} characters.",
  tooShort_one: "Use at least {{count}} character.",
  tooShort_other: "Use at least {{count}} characters.",
  tooLong: "Choose a shorter password.",
  backToSignIn: "Back to sign-in",
  forgot: {
    title: "Reset your password",
    text: "Enter your email. We send you a link to choose a new password.",
    submit: "Send link",
  },
  sent: {
    title: "Check your inbox",
    text: "If {{email}} has an account here, a link is on its way. It works once, for a short time.",
  },
  reset: { title: "Choose a new password", submit: "Save password" },
  changed: {
    title: "Your password has changed",
    text: "Sign in with the new password.",
    signIn: "Sign in",
  },
  linkFailed: {
    title: "This link did not work",
    text: "It was used already, or has expired. Request a new one.",
    again: "Request a new link",
  },
};
