import type { Decision } from "./limiter.ts";

/** A refusal until the window ends, rounded up, so that a client which waits that long passes. */
export function refusal(remainingMs: number): Decision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(remainingMs / 1000)) };
}
