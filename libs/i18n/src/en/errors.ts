/** The texts that users of both webs read, by error code. */
const sharedCodes = {
  INVALID_EMAIL: "Enter an email such as name@example.com.",
  PASSWORD_TOO_SHORT: "Choose a longer password.",
  PASSWORD_TOO_LONG: "Choose a shorter password.",
  PASSWORD_COMPROMISED: "This password is known from leaks. Choose another one.",
  PASSWORD_CHANGE_REQUIRED:
    "This password is known from leaks. Choose a new one by the link that was sent to your email.",
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: "This username is taken. Choose another one.",
  USERNAME_IS_TOO_SHORT: "Choose a longer username.",
  USERNAME_IS_TOO_LONG: "Choose a shorter username.",
  USERNAME_IS_INVALID: "Use only letters, digits, underscores and dots.",
} as const;

/** The errors in words for users of the account web. Each text says what to do. `codes` has the codes of errors on the wire. */
export const errors = {
  network: "The server did not answer. Check your connection and try again.",
  unreadable: "The server sent an unexpected reply. Try again in a moment.",
  unavailable: "This is not available right now. Try again in a moment.",
  failed: "Something went wrong. Try again.",
  failedWithId: "Something went wrong. Try again. If it keeps failing, send support this ID: {id}.",
  refused: "This was refused. Check your input and try again.",
  forbidden: "You are not allowed to do this.",
  notFound: "This was not found. It may have been deleted.",
  signedOut: "Your session has ended. Sign in again.",
  wait: "Too many attempts. Try again in {count, plural, one {# second} other {# seconds}}.",
  waitMinutes: "Too many attempts. Try again in {count, plural, one {# minute} other {# minutes}}.",
  waitOver: "You can try again now.",
  required: "This is required.",
  passkey: "The browser could not use a passkey. Try again, or choose another way.",
  pages: {
    notFound: {
      title: "Page not found",
      text: "The address may be mistyped, or the page has moved.",
    },
    failed: {
      title: "This page could not be loaded",
    },
  },
  codes: {
    ...sharedCodes,
    INVALID_EMAIL_OR_PASSWORD: "The email or the password is wrong.",
    INVALID_USERNAME_OR_PASSWORD: "The username or the password is wrong.",
    INVALID_PASSWORD: "The password is wrong.",
    EMAIL_NOT_VERIFIED: "Verify your email first.",
    BANNED_USER: "This account is blocked.",
    INVALID_CODE: "This code is wrong. Enter the latest one.",
    INVALID_BACKUP_CODE: "This recovery code is wrong, or was used already.",
    OTP_HAS_EXPIRED: "This code has expired. Request a new one.",
    OTP_EXPIRED: "This code has expired. Request a new one.",
    INVALID_OTP: "This code is wrong. Enter the latest one.",
    TOO_MANY_ATTEMPTS: "Too many wrong codes. Request a new one.",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Request a new one.",
    ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Try again later.",
    INVALID_TWO_FACTOR_COOKIE: "This sign-in has expired. Sign in again.",
    TWO_FACTOR_REQUIRED: "Your account requires a second factor.",
    USER_ALREADY_EXISTS: "An account with this email exists. Sign in instead.",
    INVALID_TOKEN: "This link was used already, or has expired. Request a new one.",
    INVALID_CALLBACKURL: "The page that sent you here gave an address that is not allowed.",
    MISSING_CAPTCHA_RESPONSE: "Complete the captcha first.",
    CAPTCHA_VERIFICATION_FAILED: "The captcha was not accepted. Try it again.",
    SIGNUP_DISABLED: "There is no account with this email.",
    ACCOUNT_NOT_LINKED:
      "An account with this email exists. Sign in another way, then connect this provider.",
    CHALLENGE_NOT_FOUND: "This took too long. Try again.",
    PASSKEY_NOT_FOUND: "This passkey is not known here. Use another one.",
    AUTHENTICATION_FAILED: "The passkey was not accepted. Try again, or sign in another way.",
    SESSION_IS_NOT_FRESH: "Confirm that it is you, and try again.",
  },
} as const;

type Values = Readonly<Record<string, string | number>>;

/**
 * The errors in words for admins, as advice below the message of the server. They speak to admins, who often act for others. Admins work in
 * English, so these texts need no message engine, which the first visit would wait for.
 */
export const adminErrors = {
  network: "Check your connection and that the gateway is running, then try again.",
  unreadable: "This reply did not come from Latchkey. Check the proxy in front of it.",
  unavailable: ({ wait = "Wait a moment, then try again." }: Values) =>
    `${wait} A service may be down. See Home.`,
  failed: "Try again. If it keeps failing, check the service logs.",
  requestId: ({ id }: Values) => `Request ID: ${id}.`,
  broken: "Refresh the page. If it keeps failing, report the error.",
  refused: "Correct your input and try again.",
  forbidden: "Ask an admin who has this permission.",
  notFound: "It may have been deleted, or the feature may be off.",
  signedOut: "Sign in again.",
  wait: ({ count }: Values) =>
    `Wait ${count} ${count === 1 ? "second" : "seconds"}, then try again.`,
  waitMinutes: ({ count }: Values) => `Wait ${count} minutes, then try again.`,
  waitOver: "You can try again now.",
  codes: {
    ...sharedCodes,
    BANNED_USER: "A banned user cannot be signed in. An admin can lift the ban.",
    EVENT_NOT_FOUND: "It may be too old to be stored. Refresh the page.",
    WEBHOOK_DELIVERY_NOT_FOUND: "It may have been deleted, or is too old. Refresh the page.",
    WEBHOOK_DELIVERY_HAS_NOT_FAILED: "It may have been retried already. Refresh the page.",
    THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
      "Use an https: URL with a public address. The option advanced.outbound.privateHosts allows hosts of your own network.",
    THE_CONTACT_OF_THE_WEBHOOK_IS_NOT_ALLOWED: "Enter the email of a user who has confirmed it.",
    THE_NUMBER_OF_WEBHOOKS_IS_LIMITED: "Delete one first.",
    YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS:
      "You can choose only events about what you may list. Ask an admin who has these permissions.",
    MEMBER_NOT_FOUND: "They may have left already. Refresh the page.",
    INVITATION_NOT_FOUND: "It may have been canceled already. Refresh the page.",
    USER_ALREADY_EXISTS: "Use another email, or search for the user who has it.",
    YOU_CANNOT_BAN_YOURSELF: "Ask another admin to do it.",
    YOU_CANNOT_DEMOTE_YOURSELF: "Ask another admin to do it.",
    YOU_CANNOT_REMOVE_YOURSELF: "Ask another admin to do it.",
    YOU_CANNOT_REMOVE_THE_LAST_ADMIN: "Make another user an admin first.",
    YOU_CANNOT_MERGE_YOURSELF: "Another admin can do it.",
    USERS_CANNOT_BE_MERGED:
      "Both need a verified email. Neither may be banned, nor part of a merge that can still be undone.",
    MERGE_NOT_FOUND: "It was undone already, or a day has passed.",
    USER_IS_MERGED: "Undo the merge on this page instead.",
    YOU_CANNOT_IMPERSONATE_ADMINS: "To allow it, set the option admin.allowImpersonatingAdmins.",
    YOU_ARE_ALREADY_IMPERSONATING_A_USER: "End that impersonation first.",
    FAILED_TO_FIND_ADMIN_SESSION: "Your own session has ended. Sign out, then sign in again.",
    SLUG_IS_TAKEN: "Choose another slug.",
    TWO_FACTOR_REQUIRED: "Your role requires a second factor.",
    SESSION_IS_NOT_FRESH: "Sign out, sign in again, and retry.",
    INVALID_ORIGIN: "Open this page at the baseURL, or add its origin to trustedOrigins.",
  },
} as const;
