import { AdvisedError } from "@latchkey/ui/api/advised-error.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";

/** The advice for error codes whose message does not say what to do. */
export const adviceByCode: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: "Check the email and password, and try again.",
  INVALID_USERNAME_OR_PASSWORD: "Check the username and password, and try again.",
  EMAIL_NOT_VERIFIED: "Open the link in the email that was sent to this address, then sign in.",
  BANNED_USER: "Ask another admin to unban you.",
  MISSING_CAPTCHA_RESPONSE:
    "This installation requires a captcha to sign in. Sign in to your application first, then come back to this page.",
  USER_NOT_FOUND: "The user may have been deleted. Go back to the list of users.",
  ORGANIZATION_NOT_FOUND: "It may have been deleted. Go back to the list.",
  API_KEY_NOT_FOUND: "It may have been deleted, or has expired. Go back to the list of keys.",
  WEBHOOK_NOT_FOUND: "It may have been deleted. Go back to the list.",
  WEBHOOK_DELIVERY_NOT_FOUND: "It may have been deleted, or is too old. Refresh the page.",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "It may have been retried already. Refresh the page.",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "Use an https: URL with a public address. The option advanced.outbound.privateHosts allows hosts of your own network.",
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
  YOU_CANNOT_IMPERSONATE_ADMINS: "To allow it, set the option admin.allowImpersonatingAdmins.",
  YOU_ARE_ALREADY_IMPERSONATING_A_USER: "End that impersonation first.",
  FAILED_TO_FIND_ADMIN_SESSION: "Your own session has ended. Sign out, then sign in again.",
  PASSWORD_TOO_SHORT: "Choose a longer password.",
  PASSWORD_TOO_LONG: "Choose a shorter password.",
  INVALID_EMAIL: "Enter an email such as name@example.com.",
  SLUG_IS_TAKEN: "Choose another slug.",
  INVALID_CODE: "Enter the latest code. Each code works once, for a short time.",
  INVALID_BACKUP_CODE: "Check the code. Each backup code works once.",
  OTP_HAS_EXPIRED: "Request a new code, and enter that one.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Request a new code, and enter that one.",
  BACKUP_CODES_ARENT_ENABLED: "Use another second factor.",
  TOTP_NOT_ENABLED: "Use another second factor.",
  INVALID_TWO_FACTOR_COOKIE: "Sign in again.",
  TWO_FACTOR_REQUIRED: "Your role requires a second factor.",
  INVALID_PASSWORD: "Check the password, and try again.",
  SESSION_IS_NOT_FRESH: "Sign out, sign in again, and retry.",
  CHALLENGE_NOT_FOUND: "It took too long. Try again.",
  AUTHENTICATION_FAILED:
    "Try again. If it keeps failing, sign in another way and delete the passkey.",
  PASSKEY_NOT_FOUND: "This passkey was deleted. Use another passkey, or sign in another way.",
  FAILED_TO_VERIFY_REGISTRATION:
    "Check the options passkey.rpID and passkey.origin: this page may not be among the origins.",
  PREVIOUSLY_REGISTERED: "Use that passkey, or add one from another device.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN: "Set a password or add another passkey first.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS: "Delete one first.",
  OTP_NOT_CONFIGURED: "Use another second factor.",
  INVALID_ORIGIN: "Open this page at the baseURL, or add its origin to trustedOrigins.",
};

const countOf = (count: number, unit: string): string =>
  `${count} ${count === 1 ? unit : `${unit}s`}`;

const waitFor = (seconds: number | undefined): string => {
  if (seconds === undefined) return "Wait a moment";
  return `Wait ${seconds < 120 ? countOf(seconds, "second") : countOf(Math.ceil(seconds / 60), "minute")}`;
};

const byStatus = ({ status, retryAfterSeconds, issues }: ApiError): string => {
  if (status === 0) return "Check your connection and that the gateway is running, then try again.";
  if (status < 300) return "This reply did not come from Latchkey. Check the proxy in front of it.";
  if (status === 429) return `${waitFor(retryAfterSeconds)}, then try again.`;
  if (status === 401) return "Sign in again.";
  if (status === 403) return "Ask an admin who has this permission.";
  if (status === 404) return "It may have been deleted, or the feature may be off.";
  if (issues.length > 0)
    return issues.map(({ path, message }) => `${path || "It"}: ${message}.`).join(" ");
  if (status === 503)
    return `${waitFor(retryAfterSeconds)}, then try again. A service may be down. See Home.`;
  if (status >= 500) return "Try again. If it keeps failing, check the service logs.";
  return "Correct your input and try again.";
};

/**
 * Returns one sentence on what went wrong. Hides the text of any error that is not meant for users: it is a bug in the page and means
 * nothing to them.
 */
export const messageOf = (error: unknown): string => {
  const text =
    error instanceof ApiError || error instanceof AdvisedError
      ? error.message
      : "This page has failed";
  return /[.!?]$/.test(text) ? text : `${text}.`;
};

/** Returns one sentence on what to do about the error. */
export const adviceOf = (error: unknown): string => {
  if (error instanceof AdvisedError) return error.advice;
  if (!(error instanceof ApiError))
    return "Refresh the page. If it keeps failing, report the error.";
  const advice =
    (error.code === undefined ? undefined : adviceByCode[error.code]) ?? byStatus(error);
  return error.status >= 500 && error.requestId
    ? `${advice} Request ID: ${error.requestId}.`
    : advice;
};
