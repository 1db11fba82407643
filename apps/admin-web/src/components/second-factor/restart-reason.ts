import { ApiError } from "@latchkey/ui/api/api-error.ts";
import type { CodeKind } from "./code-kinds.ts";

/**
 * Returns why a sign-in that waits for a code has ended, so that it must begin again. Undefined if it has not ended. Too many wrong codes of
 * an email end only that code, because another one can be mailed.
 */
export const restartReason = (error: unknown, kind: CodeKind): string | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "INVALID_TWO_FACTOR_COOKIE")
    return "The sign-in expired. Enter your password again.";
  if (error.code === "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE" && kind !== "mail")
    return "Too many wrong codes were entered. Enter your password again.";
  return undefined;
};
