import type { KeyLimits } from "../../components/api-keys/limits-in-words.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";

type Limited = Pick<
  ApiKey,
  | "remaining"
  | "refillAmount"
  | "refillInterval"
  | "rateLimitEnabled"
  | "rateLimitMax"
  | "rateLimitTimeWindow"
  | "expiresAt"
  | "permissions"
>;

/** Returns the limits of an existing key, with its remaining uses. */
export const keyLimits = (key: Limited): KeyLimits => {
  const { refillAmount, refillInterval, rateLimitMax, rateLimitTimeWindow } = key;
  const isRated = key.rateLimitEnabled && rateLimitMax !== null && rateLimitTimeWindow !== null;
  return {
    remaining: key.remaining,
    refill:
      refillAmount !== null && refillInterval !== null
        ? { amount: refillAmount, days: refillInterval }
        : null,
    rate: isRated ? { max: rateLimitMax, windowMs: rateLimitTimeWindow } : null,
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt),
    permissions: key.permissions,
  };
};
