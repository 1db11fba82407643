import { ApiError } from "@latchkey/ui/api/api-error.ts";
import type { CodeKind } from "./code-kinds.ts";

/** Returns why a sign-in has ended. A mailed code alone ends after too many attempts, because another one can be mailed. */
export const endOf = (error: unknown, kind: CodeKind): "expired" | "tooMany" | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "INVALID_TWO_FACTOR_COOKIE") return "expired";
  const isOver = error.code === "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE" && kind !== "mail";
  return isOver ? "tooMany" : undefined;
};
