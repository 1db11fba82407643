import { AdvisedError } from "./advised-error.ts";
import { ApiError } from "./api-error.ts";

/** The advice for error codes whose message does not say what to do. */
export const adviceByCode: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: "Check the address and the password, and try again.",
  INVALID_USERNAME_OR_PASSWORD: "Check the name and the password, and try again.",
  EMAIL_NOT_VERIFIED: "Open the link in the mail that was sent to this address, then sign in.",
  BANNED_USER: "Ask another admin of this installation to lift the ban.",
  MISSING_CAPTCHA_RESPONSE:
    "This installation asks for a captcha at sign-in. Sign in at your application first, then open this page again.",
  USER_NOT_FOUND: "They may have been deleted meanwhile. Go back to the list of users.",
  ORGANIZATION_NOT_FOUND: "It may have been deleted meanwhile. Go back to the list.",
  API_KEY_NOT_FOUND: "It may have been deleted, or has expired. Go back to the list of keys.",
  MEMBER_NOT_FOUND: "They may have left meanwhile. Load the page again.",
  INVITATION_NOT_FOUND: "It may have been canceled meanwhile. Load the page again.",
  USER_ALREADY_EXISTS: "Choose another address, or look for the user who has it.",
  YOU_CANNOT_BAN_YOURSELF: "Ask another admin to do it.",
  YOU_CANNOT_DEMOTE_YOURSELF: "Ask another admin to do it.",
  YOU_CANNOT_REMOVE_YOURSELF: "Ask another admin to do it.",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN: "Make somebody else an admin first.",
  YOU_CANNOT_IMPERSONATE_ADMINS:
    "Allow it with the option admin.allowImpersonatingAdmins if it is needed.",
  FAILED_TO_FIND_ADMIN_SESSION:
    "Your own session has ended meanwhile. Sign out, then sign in as yourself.",
  PASSWORD_TOO_SHORT: "Choose a longer password.",
  PASSWORD_TOO_LONG: "Choose a shorter password.",
  INVALID_EMAIL: "Write it like name@example.com.",
  SLUG_IS_TAKEN: "Choose another slug.",
  INVALID_CODE: "Enter the newest code. Each code works once and for a short time only.",
  INVALID_BACKUP_CODE: "Check the code. Each backup code works once.",
  OTP_HAS_EXPIRED: "Have a new code sent, and enter that one.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Have a new code sent, and enter that one.",
  BACKUP_CODES_ARENT_ENABLED: "Use another second factor.",
  TOTP_NOT_ENABLED: "Use another second factor.",
  INVALID_TWO_FACTOR_COOKIE: "Sign in again.",
  TWO_FACTOR_REQUIRED: "This installation requires a second factor of you.",
  INVALID_PASSWORD: "Check the password, and try again.",
  SESSION_IS_NOT_FRESH: "Sign out and in again, then repeat this.",
  CHALLENGE_NOT_FOUND: "It took too long. Try again.",
  AUTHENTICATION_FAILED:
    "Try again. If it keeps failing, sign in another way and remove the passkey.",
  PASSKEY_NOT_FOUND: "It was removed here. Use another passkey, or sign in another way.",
  FAILED_TO_VERIFY_REGISTRATION:
    "Check the options passkey.rpID and passkey.origin: this page may not be among the origins.",
  PREVIOUSLY_REGISTERED: "Use that passkey, or add one of another device.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN: "Set a password or add another passkey first.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS: "Delete one first.",
  OTP_NOT_CONFIGURED: "Use another second factor.",
  INVALID_ORIGIN:
    "Open this page at the address that the option baseURL names, or add this one to trustedOrigins.",
};

const countOf = (count: number, unit: string): string =>
  `${count} ${count === 1 ? unit : `${unit}s`}`;

const waitFor = (seconds: number | undefined): string => {
  if (seconds === undefined) return "Wait a little";
  return `Wait ${seconds < 120 ? countOf(seconds, "second") : countOf(Math.ceil(seconds / 60), "minute")}`;
};

const byStatus = ({ status, retryAfterSeconds, issues }: ApiError): string => {
  if (status === 0) return "Check your connection and that the gateway is running, then try again.";
  if (status < 300)
    return "Check the proxy in front of Latchkey: this reply did not come from Latchkey.";
  if (status === 429) return `${waitFor(retryAfterSeconds)}, then try again.`;
  if (status === 401) return "Sign in again.";
  if (status === 403) return "Ask an admin whose role allows it.";
  if (status === 404) return "It may have been removed, or the feature may be switched off.";
  if (issues.length > 0)
    return issues.map(({ path, message }) => `${path || "It"}: ${message}.`).join(" ");
  if (status === 503)
    return `${waitFor(retryAfterSeconds)}, then try again. A service may be down: see Home.`;
  if (status >= 500)
    return "Try again. If it keeps failing, look into the logs of the installation.";
  return "Change what you entered, and try again.";
};

/**
 * Returns one sentence on what went wrong. Hides the text of any error that is not meant for users: it is a bug in the page and means
 * nothing to them.
 */
export const messageOf = (error: unknown): string => {
  const text =
    error instanceof ApiError || error instanceof AdvisedError
      ? error.message
      : "Something in this page failed";
  return /[.!?]$/.test(text) ? text : `${text}.`;
};

/** Returns one sentence on what to do about the error. */
export const adviceOf = (error: unknown): string => {
  if (error instanceof AdvisedError) return error.advice;
  if (!(error instanceof ApiError)) return "Load the page again. If it keeps failing, report it.";
  const advice =
    (error.code === undefined ? undefined : adviceByCode[error.code]) ?? byStatus(error);
  return error.status >= 500 && error.requestId
    ? `${advice} The request was ${error.requestId}.`
    : advice;
};
