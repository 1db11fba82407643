import { errors } from "./errors.ts";

/** The English texts of the pages for signed-out users, by namespace. */
export const front = {
  captcha: {
    title: "Confirm that you are human",
    failed:
      "The captcha could not be loaded. Check your connection, turn off content blockers for this page, and try again.",
  },
  errors,
  invitation: {
    title: "Join {organization}",
    text: "{inviter} invites you with the role {role}.",
    accept: "Accept invitation",
    decline: "Decline",
    accepted: "You are now a member of {organization}.",
    declined: "You have declined the invitation.",
    signedOut: {
      text: "This invitation is for {email}. Sign in, or create an account.",
      signIn: "Sign in and accept",
      signUp: "Create account and accept",
    },
    other: {
      title: "This invitation is for another email",
      text: "You are signed in as {email}. Sign in with the email that received the invitation.",
      signOut: "Use another account",
    },
    unverified: {
      title: "Verify your email first",
      text: "Only the owner of {email} can see this invitation. We send you a link, which leads back here.",
      send: "Send link",
      sent: "The link is on its way. Open it in this browser.",
      code: "Only the owner of {email} can see this invitation. We send you a code.",
      sendCode: "Send code",
    },
    gone: {
      title: "This invitation is no longer valid",
      text: "It was answered, withdrawn or has expired. Ask for a new one.",
    },
  },
  links: {
    toSignIn: "Go to sign-in",
    verifyEmail: {
      title: "Your email is verified",
      text: "You can continue now.",
      failed:
        "It was used already, or has expired. If your email is not verified yet, request a new link.",
    },
    verifyEmailOpen: {
      title: "Verify your email",
      text: "Open the link in the mail that we sent you, or request a new link.",
    },
    changeEmail: {
      title: "The link has worked",
      text: "If the new email must still confirm the change, we have sent a link to it. Your profile shows the email that is in use.",
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
      otherEmail: {
        title: "The account was not connected",
        text: "Its email differs from yours, or the provider has not verified it. Connect an account that has your email.",
      },
      taken: {
        title: "The account was not connected",
        text: "It is connected to another account here. Disconnect it there first.",
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
      full: {
        title: "Too many accounts in this browser",
        text: "Sign one of them out, then sign in again.",
      },
      other: {
        title: "The sign-in failed",
        text: "Try again. If it keeps failing, sign in another way or contact support.",
      },
    },
  },
  page: {
    language: "Language",
    terms: "Terms",
    privacy: "Privacy",
    support: "Support",
    or: "or",
    back: "Back",
    cancel: "Cancel",
    retry: "Try again",
    continue: "Continue",
    goToApplication: "Go to {name}",
    loading: "Loading",
    offline: "You are offline. This page continues when the connection is back.",
    showPassword: "Show password",
    hidePassword: "Hide password",
    codeHint: "The code is checked as soon as you enter its last digit.",
  },
  password: {
    newPassword: "New password",
    strength1: "Weak",
    strength2: "Fair",
    strength3: "Good",
    strength4: "Strong",
    hint: "At least {count, plural, one {# character} other {# characters}}.",
    tooShort: "Use at least {count, plural, one {# character} other {# characters}}.",
    tooLong: "Choose a shorter password.",
    backToSignIn: "Back to sign-in",
    forgot: {
      title: "Reset your password",
      text: "Enter your email. We send you a link to choose a new password.",
      submit: "Send link",
      code: "Enter your email. We send you a code, with which you choose a new password.",
      sendCode: "Send code",
    },
    sent: {
      title: "Check your inbox",
      text: "If {email} has an account here, a link is on its way. It works once, for a short time.",
      code: "If {email} has an account here, a code is on its way. Enter it to choose a new password.",
    },
    reset: {
      title: "Choose a new password",
      submit: "Save password",
      keysStay:
        "If your email was not fully confirmed before, API keys may be deleted. Otherwise they keep working.",
      keysEnd:
        "API keys that can sign in as you are deleted. If your email was not fully confirmed before, the others may be deleted, too.",
      claim:
        "Your email was never fully confirmed for this account, so somebody else may have registered it. The new password replaces the present one.",
      removes: "Saving it also removes:",
    },
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
  },
  secondFactor: {
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
  },
  signIn: {
    manageUsers: "Choose who stays signed in",
    title: "Sign in to {name}",
    email: "Email",
    emailOrUsername: "Email or username",
    password: "Password",
    enterEmail: "Enter your email.",
    enterEmailOrUsername: "Enter your email or username.",
    enterPassword: "Enter your password.",
    submit: "Sign in",
    forgot: "Forgot password?",
    stay: "Stay signed in",
    noAccount: "No account yet?",
    signUp: "Sign up",
    continueWith: "Continue with {name}",
    otherWays: "Other ways",
    lastUsed: "Last used",
    mailLink: "Email me a sign-in link",
    mailCode: "Email me a code",
    textCode: "Text me a code",
    passkey: "Sign in with a passkey",
    linkSent: {
      title: "Check your inbox",
      text: "If {email} can sign in here, a link is on its way. Open it in this browser.",
      resend: "Send another link",
      again: "Another link is on its way.",
    },
    codeSent: {
      title: "Enter the code",
      text: "If {recipient} can sign in here, a code is on its way.",
      code: "Code",
      resend: "Send another code",
      again: "Another code is on its way.",
    },
    claim: {
      password: "the password",
      accounts: "the linked accounts",
      passkeys: "the passkeys",
      secondFactor: "the second factor",
      phoneNumber: "the phone number",
      rest: "All other devices are signed out, and API keys end.",
    },
    ended: "Your session has ended. Sign in again to continue.",
    created: "Your account is created. Sign in to continue.",
    signedOut: "You have signed out.",
  },
  signUp: {
    title: "Create your account",
    guest: "You are here as a guest. Create an account or sign in to keep what you have.",
    lead: "to continue to {name}",
    name: "Name",
    enterName: "Enter your name.",
    username: "Username (optional)",
    submit: "Create account",
    hasAccount: "Already have an account?",
    signIn: "Sign in",
    complete: {
      title: "Complete your profile",
      text: "{name} needs this to create your account.",
      again: "{name} needs this before you go on.",
    },
    closed: {
      title: "Sign-up is closed",
      text: "Accounts are created by invitation only.",
    },
  },
  verification: {
    title: "Verify your email",
    link: "We sent a link to {email}. Open it to verify your email, then sign in.",
    code: "We sent a code to {email}. Enter it to verify your email.",
    either: "We sent a code and a link to {email}. Enter the code, or open the link.",
    unknown: "Enter your email, and the code that we sent to it.",
    linkUnknown: "Open the link that we sent to your email, or request another one.",
    submit: "Verify email",
    resend: "Send again",
    again: "If this email is not verified yet, another mail is on its way.",
    claim:
      "{email} was never confirmed for this account, so somebody else may have registered it. Verifying by this code removes:",
    remove: "Remove and verify",
  },
} as const;
