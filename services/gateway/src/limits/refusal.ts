import type { Decision } from "./limiter.ts";

/** A refusal for what is left of the window, rounded up: who waits as told is let in. */
export function refusal(remainingMs: number): Decision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)) };
}
