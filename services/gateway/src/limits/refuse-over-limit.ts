import { WireError } from "@latchkey/contracts";
import type { Decision } from "./limiter.ts";

/** Throws `TOO_MANY_REQUESTS` unless the request is allowed. */
export const refuseOverLimit = (decision: Decision): void => {
  if (!decision.allowed)
    throw new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds: decision.retryAfterSeconds });
};
