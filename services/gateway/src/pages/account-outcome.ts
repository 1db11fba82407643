import type { Outcome } from "./mailed-link-page.ts";

/** The error codes that the pages of the account web know. */
const errors: Partial<Record<Outcome, string>> = {
  expired: "token_expired",
  signedOut: "unauthorized",
  notGood: "invalid_token",
};

/**
 * The page of the account web for each operation that a mailed link opens: after its success, and after a failure. Pages claim a
 * success only with a mark, because anyone can open them.
 */
const pages: Readonly<Record<string, readonly [success: string, failure: string]>> = {
  "/verify-email": ["/verify-email?outcome=done", "/verify-email"],
  "/delete-user/callback": ["/delete-account?outcome=done", "/delete-account"],
  "/magic-link/verify": ["/continue", "/error"],
};

/** Returns the path, below that of the account web, of the page for an outcome. Undefined if it has none. */
export const accountOutcome = (operationPath: string, outcome: Outcome): string | undefined => {
  const outcomePages = pages[operationPath];
  if (!outcomePages) return undefined;
  const [success, failure] = outcomePages;
  const error = errors[outcome];
  if (error === undefined) return success;
  // Only a change of the email needs its user to be signed in.
  const page = failure === "/verify-email" && outcome === "signedOut" ? "/change-email" : failure;
  return `${page}?error=${error}`;
};
