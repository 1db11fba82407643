import { ApiError } from "@latchkey/ui/api/api-error.ts";
import type { CodeKind } from "./code-kinds.ts";

/** The errors without a sign-in that waits. Preparing an app also serves sessions, so it names a missing session. */
const endedCodes: ReadonlySet<unknown> = new Set(["INVALID_TWO_FACTOR_COOKIE", "UNAUTHORIZED"]);

/** Returns why a sign-in has ended. A mailed code alone ends after too many attempts, because another one can be mailed. */
export const endOf = (error: unknown, kind: CodeKind): "expired" | "tooMany" | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (endedCodes.has(error.code)) return "expired";
  const isOver = error.code === "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE" && kind !== "mail";
  return isOver ? "tooMany" : undefined;
};
