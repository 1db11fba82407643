export const links = {
  toSignIn: "Go to sign-in",
  verifyEmail: {
    title: "Your email is verified",
    text: "You can continue now.",
    failed:
      "It was used already, or has expired. If your email is not verified yet, request a new link.",
    send: "Send a new link",
    sent: "If this email is not verified yet, a new link is on its way.",
  },
  verifyEmailOpen: {
    title: "Verify your email",
    text: "Open the link in the mail that we sent you, or request a new link.",
  },
  changeEmail: {
    title: "The link has worked",
    text: "If a second email is needed, we have sent you its link. Otherwise your email has changed.",
  },
  changeEmailFailed: {
    title: "Your email was not changed",
    text: "The link was used already, has expired, or needs you to be signed in. Sign in, and change your email again.",
  },
  deleteAccount: {
    title: "Your account is deleted",
    text: "All your data is gone. You can close this page.",
  },
  deleteAccountOpen: {
    title: "Nothing was deleted here",
    text: "You can delete your account on the page with your data.",
    action: "Go to your data",
  },
  deleteAccountFailed: {
    title: "Your account was not deleted",
    text: "The link was used already, has expired, or needs you to be signed in. Sign in, and delete your account again.",
  },
  done: {
    title: "Nothing more to do here",
    text: "If a link in a mail brought you here, it has worked.",
  },
  returned: {
    title: "You are signed in",
    text: "The application has sent you back here. Continue to it, or close this page.",
  },
  failures: {
    link: {
      title: "This link did not work",
      text: "It was used already, or has expired. Request a new one on the sign-in page.",
    },
    cancelled: {
      title: "The sign-in was cancelled",
      text: "Nothing has changed. Try again, or sign in another way.",
    },
    notLinked: {
      title: "This account is not connected",
      text: "An account with this email exists. Sign in to it another way, then connect this provider.",
    },
    noAccount: {
      title: "There is no account for you yet",
      text: "This way does not create accounts. Sign in another way, or ask for an invitation.",
    },
    blocked: {
      title: "This account is blocked",
      text: "You cannot sign in. Contact support if you think that this is a mistake.",
    },
    noEmail: {
      title: "The provider did not share your email",
      text: "Allow it to share your email and try again, or sign in another way.",
    },
    unverified: {
      title: "Verify your email first",
      text: "Open the link in the mail that we sent you, then sign in.",
    },
    address: {
      title: "We cannot send you back",
      text: "The page that sent you here gave an address that is not allowed.",
    },
    other: {
      title: "The sign-in failed",
      text: "Try again. If it keeps failing, sign in another way or contact support.",
    },
  },
};
