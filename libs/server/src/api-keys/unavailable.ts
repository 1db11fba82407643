import type { Verification } from "./verification.ts";

/** The key was not verified. `message` is the cause. */
export const unavailable = (message: string, cause?: unknown): Verification => ({
  ok: false,
  reason: "unavailable",
  cause: new Error(message, cause === undefined ? undefined : { cause }),
});
