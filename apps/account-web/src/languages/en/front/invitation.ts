export const invitation = {
  title: "Join {{organization}}",
  text: "{{inviter}} invites you with the role {{role}}.",
  accept: "Accept invitation",
  decline: "Decline",
  accepted: "You are now a member of {{organization}}.",
  declined: "You have declined the invitation.",
  signedOut: {
    title: "You have been invited",
    text: "Sign in with the email that received the invitation, or create an account for it.",
    signIn: "Sign in",
    signUp: "Create account",
  },
  other: {
    title: "This invitation is for another email",
    text: "You are signed in as {{email}}. Sign in with the email that received the invitation.",
    signOut: "Use another account",
  },
  unverified: {
    title: "Verify your email first",
    text: "Only the owner of {{email}} can see this invitation. We send you a link, which leads back here.",
    send: "Send link",
    sent: "The link is on its way. Open it in this browser.",
  },
  gone: {
    title: "This invitation is no longer valid",
    text: "It was answered, withdrawn or has expired. Ask for a new one.",
  },
};
