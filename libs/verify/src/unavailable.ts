import type { Verification } from "./verification.ts";

/** Nothing is known of the key, because of what the message says. */
export const unavailable = (message: string, cause?: unknown): Verification => ({
  ok: false,
  reason: "unavailable",
  cause: new Error(message, cause === undefined ? undefined : { cause }),
});
