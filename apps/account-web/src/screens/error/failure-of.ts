/** The meaning of a failed sign-in or link for its user. */
export type Failure =
  | "link"
  | "cancelled"
  | "notLinked"
  | "otherEmail"
  | "taken"
  | "noAccount"
  | "blocked"
  | "noEmail"
  | "unverified"
  | "address"
  | "full"
  | "other";

const failures: readonly [failure: Failure, codes: readonly string[]][] = [
  ["link", ["invalid_token", "token_expired", "magic_link_invalid_token", "link_invalid_token"]],
  [
    "cancelled",
    ["access_denied", "user_cancelled_authorize", "user_cancelled_login", "user_denied"],
  ],
  ["notLinked", ["account_not_linked"]],
  ["otherEmail", ["unable_to_link_account"]],
  ["taken", ["account_already_linked_to_different_user"]],
  ["noAccount", ["signup_disabled", "user_not_found"]],
  ["blocked", ["banned", "banned_user"]],
  ["noEmail", ["email_not_found"]],
  ["unverified", ["email_not_verified"]],
  ["address", ["invalid_callback_url"]],
  ["full", ["too_many_sessions"]],
];

/** Returns what the code of a failure means to its user. Codes come in both cases, from links and from providers. */
export const failureOf = (code: string | undefined): Failure =>
  failures.find(([, codes]) => codes.includes(code?.toLowerCase() ?? ""))?.[0] ?? "other";
