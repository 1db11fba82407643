import {
  namedDaysMax,
  type OperationInput,
  type operations,
  type Options,
  WireError,
} from "@latchkey/contracts";
import type { ApiKeyRow } from "../db/key-row.ts";

type LifetimeRules = Pick<Options["apiKey"], "keyExpiration">;

const dayMilliseconds = 86_400_000;

/** Returns the longest lifetime in milliseconds: the options' maximum, else their default. Undefined if they set neither. */
const lifetimeLimit = ({ keyExpiration }: LifetimeRules): number | undefined => {
  const { maxExpiresIn, defaultExpiresIn } = keyExpiration;
  if (maxExpiresIn !== undefined) return maxExpiresIn * dayMilliseconds;
  return defaultExpiresIn === null ? undefined : defaultExpiresIn * 1000;
};

/** Returns the lifetime in milliseconds of a new key for which none is requested. Null means unlimited. */
export const defaultLifetime = (rules: LifetimeRules): number | null => {
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
const checkExpiry = ({ keyExpiration }: LifetimeRules, expiresIn: number | null): void => {
  const { disableCustomExpiresTime, minExpiresIn, maxExpiresIn } = keyExpiration;
  if (disableCustomExpiresTime) throw new WireError("KEY_DISABLED_EXPIRATION");
  if (expiresIn === null) return;
  const days = (expiresIn * 1000) / dayMilliseconds;
  if (days < minExpiresIn) throw new WireError("EXPIRES_IN_IS_TOO_SMALL");
  if (days > (maxExpiresIn ?? namedDaysMax)) throw refuseLonger();
};

/** Throws `EXPIRES_IN_IS_TOO_LARGE` if an owner requests a longer lifetime, in seconds, for a new key than the options allow. */
const checkOwnNewExpiry = (rules: LifetimeRules, expiresIn: number | null | undefined): void => {
  const limit = lifetimeLimit(rules);
  if (limit !== undefined && (expiresIn ?? 0) * 1000 > limit) throw refuseLonger();
};

/** A new lifetime in seconds from `now`. Null removes the expiry. */
interface NewLifetime {
  expiresIn: number | null;
  now: number;
}

/** Throws `EXPIRES_IN_IS_TOO_LARGE` if a service removes the expiry of a key although the options set a maximum. */
const checkGivenLifetime = ({ keyExpiration }: LifetimeRules, { expiresIn }: NewLifetime): void => {
  if (expiresIn === null && keyExpiration.maxExpiresIn !== undefined) throw refuseLonger();
};

/**
 * Throws `EXPIRES_IN_IS_TOO_LARGE` if an owner may not give a key this lifetime. Owners cannot change a lifetime that a service or an admin
 * set. The options' limit counts from the creation of the key, and of its first predecessor. Otherwise daily updates or re-rolls would keep it
 * forever. A key may always end earlier.
 * A key without an expiry, from before there was a limit, gets the limit from now on.
 */
const checkOwnLifetime = (
  rules: LifetimeRules,
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

type Rules = Options["apiKey"];

/** The requested fields of a new key. */
export type NewKey = OperationInput<typeof operations.apikey.createApiKeyFor>["body"];

/** The requested changes of a key: everything that a service or an admin may change. */
export type KeyChange = OperationInput<typeof operations.apikey.adminUpdateApiKey>["body"] &
  Pick<OperationInput<typeof operations.apikey.updateApiKeyFor>["body"], "enabled">;

const servicesOnly = [
  "refillAmount",
  "refillInterval",
  "rateLimitTimeWindow",
  "rateLimitMax",
  "rateLimitEnabled",
  "permissions",
] as const satisfies readonly (keyof NewKey & keyof KeyChange)[];

/** Throws `INVALID_SESSION` if a signed-in user names another user as the owner. */
export const refuseOtherOwner = ({ userId }: Pick<NewKey, "userId">, ownId: string): void => {
  if (userId !== undefined && userId !== null && userId !== ownId)
    throw new WireError("INVALID_SESSION");
};

/** Throws `SERVER_ONLY_PROPERTY` if the input sets a field that only services may set. */
export const refuseServicesMembers = (
  given: Pick<NewKey, "remaining"> & { [Name in (typeof servicesOnly)[number]]?: unknown },
): void => {
  const isNamed = servicesOnly.some((name) => given[name] !== undefined);
  if (isNamed || (given.remaining ?? null) !== null) throw new WireError("SERVER_ONLY_PROPERTY");
};

/** Names that lead careless copies of an object to the prototype of all objects. */
const reserved: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Iterative, because the nesting may be deeper than the call stack. */
const hasReservedName = (metadata: object): boolean => {
  const pending: unknown[] = [metadata];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (reserved.has(name)) return true;
      pending.push(member);
    }
  }
  return false;
};

const checkMetadata = ({ enableMetadata }: Rules, metadata: unknown): void => {
  if (!enableMetadata) throw new WireError("METADATA_DISABLED");
  if (typeof metadata !== "object" || (metadata !== null && hasReservedName(metadata)))
    throw new WireError("INVALID_METADATA_TYPE");
};

/** Orders values by what they set: nothing, the removal of a limit, a limit. */
const strengthOf = (value: number | null | undefined): number => {
  if (value === undefined) return 0;
  return value === null ? 1 : 2;
};

const checkRefill = ({
  refillAmount,
  refillInterval,
}: Pick<KeyChange, "refillAmount" | "refillInterval">): void => {
  const surplus = strengthOf(refillAmount) - strengthOf(refillInterval);
  if (surplus > 0) throw new WireError("REFILL_AMOUNT_ALONE");
  if (surplus < 0) throw new WireError("REFILL_INTERVAL_ALONE");
};

const checkPrefix = ({ minimumPrefixLength, maximumPrefixLength }: Rules, prefix: string): void => {
  if (prefix.length < minimumPrefixLength || prefix.length > maximumPrefixLength)
    throw new WireError("INVALID_PREFIX_LENGTH");
};

const checkName = ({ minimumNameLength, maximumNameLength }: Rules, name: string): void => {
  if (name.length < minimumNameLength || name.length > maximumNameLength)
    throw new WireError("INVALID_NAME_LENGTH");
};

/** Throws the first error of a new key: in its metadata, refill, expiry, prefix or name. */
export const checkNewKey = (rules: Rules, given: NewKey, { isOwn }: { isOwn: boolean }): void => {
  const { metadata, expiresIn = null, prefix, name } = given;
  if (metadata) checkMetadata(rules, metadata);
  checkRefill(given);
  if (expiresIn !== null) checkExpiry(rules, expiresIn);
  if (isOwn) checkOwnNewExpiry(rules, expiresIn);
  if (prefix !== undefined) checkPrefix(rules, prefix);
  if (name) checkName(rules, name);
};

/**
 * Throws the first error of a change: in its name, expiry, metadata, refill, or the lifetime that the options allow the caller. `own` is
 * the key if its owner changes it.
 */
export const checkKeyChange = (
  rules: Rules,
  change: KeyChange,
  { own, now }: { own?: ApiKeyRow | undefined; now: number },
): void => {
  const { name, expiresIn, metadata } = change;
  if (name !== undefined) checkName(rules, name);
  if (expiresIn !== undefined) checkExpiry(rules, expiresIn);
  if (metadata !== undefined) checkMetadata(rules, metadata);
  checkRefill(change);
  if (expiresIn === undefined) return;
  if (own) checkOwnLifetime(rules, own, { expiresIn, now });
  else checkGivenLifetime(rules, { expiresIn, now });
};
