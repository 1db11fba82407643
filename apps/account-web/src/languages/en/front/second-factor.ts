export const secondFactor = {
  title: "Confirm that it is you",
  app: {
    label: "Authenticator code",
    hint: "Enter the code from your authenticator app.",
    use: "Use your authenticator app",
  },
  mail: {
    label: "Email code",
    hint: "We email you a code. It works for a few minutes.",
    use: "Use a code by email",
    send: "Email a code",
    sent: "A code is on its way to your inbox.",
    resend: "Send another code",
  },
  backup: {
    label: "Recovery code",
    hint: "Enter one of the recovery codes that you saved. Each works once.",
    use: "Use a recovery code",
  },
  trust: "Trust this browser",
  submit: "Confirm",
  expired: "This sign-in has expired. Sign in again.",
  tooMany: "Too many wrong codes. Sign in again.",
  enrolment: {
    title: "Set up a second factor",
    text: "Your account requires a second factor. Set up an authenticator app to continue.",
    action: "Set up an app",
  },
};
