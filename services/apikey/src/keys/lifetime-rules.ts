import { namedDaysMax, type Options, WireError } from "@latchkey/contracts";
import type { ApiKeyRow } from "./key-row.ts";

type Rules = Pick<Options["apiKey"], "keyExpiration">;

const dayMilliseconds = 86_400_000;

/** Returns the longest lifetime in milliseconds: the options' maximum, else their default. Undefined if they set neither. */
const lifetimeLimit = ({ keyExpiration }: Rules): number | undefined => {
  const { maxExpiresIn, defaultExpiresIn } = keyExpiration;
  if (maxExpiresIn !== undefined) return maxExpiresIn * dayMilliseconds;
  return defaultExpiresIn === null ? undefined : defaultExpiresIn * 1000;
};

/** Returns the lifetime in milliseconds of a new key for which none is requested. Null means unlimited. */
export const defaultLifetime = (rules: Rules): number | null => {
  const { defaultExpiresIn } = rules.keyExpiration;
  const limit = lifetimeLimit(rules);
  if (limit === undefined) return null;
  return defaultExpiresIn === null ? limit : Math.min(defaultExpiresIn * 1000, limit);
};

const refuseLonger = () => new WireError("EXPIRES_IN_IS_TOO_LARGE");

/**
 * Throws the error of a requested lifetime in seconds: `KEY_DISABLED_EXPIRATION`, `EXPIRES_IN_IS_TOO_SMALL` or `EXPIRES_IN_IS_TOO_LARGE`.
 * Null means unlimited and is not checked here.
 */
export const checkExpiry = ({ keyExpiration }: Rules, expiresIn: number | null): void => {
  const { disableCustomExpiresTime, minExpiresIn, maxExpiresIn } = keyExpiration;
  if (disableCustomExpiresTime) throw new WireError("KEY_DISABLED_EXPIRATION");
  if (expiresIn === null) return;
  const days = (expiresIn * 1000) / dayMilliseconds;
  if (days < minExpiresIn) throw new WireError("EXPIRES_IN_IS_TOO_SMALL");
  if (days > (maxExpiresIn ?? namedDaysMax)) throw refuseLonger();
};

/** Throws `EXPIRES_IN_IS_TOO_LARGE` if an owner requests a longer lifetime, in seconds, for a new key than the options allow. */
export const checkOwnNewExpiry = (rules: Rules, expiresIn: number | null | undefined): void => {
  const limit = lifetimeLimit(rules);
  if (limit !== undefined && (expiresIn ?? 0) * 1000 > limit) throw refuseLonger();
};

/** A new lifetime in seconds from `now`. Null removes the expiry. */
interface NewLifetime {
  expiresIn: number | null;
  now: number;
}

/** Throws `EXPIRES_IN_IS_TOO_LARGE` if a service removes the expiry of a key although the options set a maximum. */
export const checkGivenLifetime = ({ keyExpiration }: Rules, { expiresIn }: NewLifetime): void => {
  if (expiresIn === null && keyExpiration.maxExpiresIn !== undefined) throw refuseLonger();
};

/**
 * Throws `EXPIRES_IN_IS_TOO_LARGE` if an owner may not give a key this lifetime. Owners cannot change a lifetime that a service or an admin
 * set. The options' limit counts from the creation of the key, and of its first predecessor. Otherwise daily updates or re-rolls would keep it
 * forever. A key may always end earlier.
 * A key without an expiry, from before there was a limit, gets the limit from now on.
 */
export const checkOwnLifetime = (
  rules: Rules,
  key: Pick<ApiKeyRow, "createdAt" | "expiresAt" | "lifetimeFrom" | "lifetimeLocked">,
  { expiresIn, now }: NewLifetime,
): void => {
  if (key.lifetimeLocked) throw refuseLonger();
  const limit = lifetimeLimit(rules);
  if (limit === undefined) return;
  if (expiresIn === null) throw refuseLonger();
  const end = now + expiresIn * 1000;
  if (key.expiresAt !== null && end <= key.expiresAt.getTime()) return;
  const begin = key.expiresAt === null ? now : (key.lifetimeFrom ?? key.createdAt).getTime();
  if (end > begin + limit) throw refuseLonger();
};
