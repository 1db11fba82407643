/**
 * The English texts of the pages of mailed links. `{app}`, `{email}` and `{newEmail}` are replaced. Only a text may contain addresses, because a
 * title is shown without markup.
 */
export const pages = {
  ignore: "If you did not ask for this, close this page: nothing has changed.",
  change: {
    title: "Confirm your new email",
    text: "Your account at {app} will use {newEmail} instead of {email}.",
    button: "Change email",
  },
  delete: {
    title: "Delete your account",
    text: "Your account {email} at {app} will be deleted permanently.",
    button: "Delete account",
  },
  signIn: {
    title: "Sign in to {app}",
    text: "This signs this browser in to the account of {email} at {app}.",
    button: "Sign in",
  },
  signInClaim: {
    title: "Sign in to {app}",
    text: "{email} was never confirmed for this account at {app}. So somebody else may have registered it. Signing in by this link removes:",
    password: "the password",
    accounts: "the linked accounts",
    passkeys: "the passkeys",
    secondFactor: "the second factor",
    phoneNumber: "the phone number",
    rest: "All other devices are signed out, and API keys end.",
    choose: "Then you choose a new password by another mail.",
    instead:
      "Is the account yours, and do you know the password? Sign in with it, and confirm the email in your profile. Nothing is removed then.",
    toSignIn: "Sign in with the password",
    button: "Remove and sign in",
  },
  signInElsewhere: {
    title: "Open this link in the other browser",
    text: "This link signs in to the account of {email} at {app}. It works only in the browser in which you requested it.",
  },
  undo: {
    title: "Undo the change of your email",
    text: "Your account at {app} will use {email} again instead of {newEmail}. All devices will be signed out, and you will choose a new password.",
    button: "Undo the change",
  },
  verify: {
    title: "Verify your email",
    text: "This verifies {email} for an account at {app}.",
    button: "Verify email",
  },
  verifyAndSignIn: {
    title: "Verify your email",
    text: "This verifies {email} for an account at {app}. It also signs this browser in to that account.",
    button: "Verify and sign in",
  },
  verified: { title: "Your email is verified", text: "You can close this page." },
  deleted: { title: "Your account is deleted", text: "You can close this page." },
  signedIn: { title: "You are signed in", text: "You can close this page." },
  undone: {
    title: "Your email is as before",
    text: "All devices are signed out. A mail with a link to choose a new password is on its way to you.",
  },
  expired: { title: "This link has expired", text: "Ask for a new one in the application." },
  signedOut: {
    title: "Sign in first",
    text: "Sign in to your account in this browser, then open the link again.",
  },
  notGood: {
    title: "This link cannot be used",
    text: "It was used already, was replaced, or is incomplete. Ask for a new one in the application.",
  },
} as const;
