import { type OperationInput, type operations, type Options, WireError } from "@latchkey/contracts";

type Rules = Options["apiKey"];

/** What a new key is to be. */
export type NewKey = OperationInput<typeof operations.apikey.createApiKeyFor>["body"];

/** What is to change of a key. */
export type KeyChange = OperationInput<typeof operations.apikey.updateApiKeyFor>["body"];

const daySeconds = 86_400;

const servicesOnly = [
  "refillAmount",
  "refillInterval",
  "rateLimitTimeWindow",
  "rateLimitMax",
  "rateLimitEnabled",
  "permissions",
] as const satisfies readonly (keyof NewKey & keyof KeyChange)[];

/** Throws `INVALID_SESSION` where who is signed in names somebody else as the owner. */
export const refuseOtherOwner = ({ userId }: Pick<NewKey, "userId">, ownId: string): void => {
  if (userId !== undefined && userId !== null && userId !== ownId)
    throw new WireError("INVALID_SESSION");
};

/** Throws `SERVER_ONLY_PROPERTY` where something is named that services alone may say of a key. */
export const refuseServicesMembers = (
  given: Pick<NewKey, "remaining"> & { [Name in (typeof servicesOnly)[number]]?: unknown },
): void => {
  const isNamed = servicesOnly.some((name) => given[name] !== undefined);
  if (isNamed || (given.remaining ?? null) !== null) throw new WireError("SERVER_ONLY_PROPERTY");
};

/** Names by which who copies an object without care reaches what all objects share. */
const reserved: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Without recursion, because nesting may be deeper than a stack. */
const hasReservedName = (metadata: object): boolean => {
  const left: unknown[] = [metadata];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (reserved.has(name)) return true;
      left.push(member);
    }
  }
  return false;
};

const checkMetadata = ({ enableMetadata }: Rules, metadata: unknown): void => {
  if (!enableMetadata) throw new WireError("METADATA_DISABLED");
  if (typeof metadata !== "object" || (metadata !== null && hasReservedName(metadata)))
    throw new WireError("INVALID_METADATA_TYPE");
};

const checkRefill = ({
  refillAmount,
  refillInterval,
}: Pick<NewKey, "refillAmount" | "refillInterval">): void => {
  if (refillAmount !== undefined && refillInterval === undefined)
    throw new WireError("REFILL_AMOUNT_ALONE");
  if (refillInterval !== undefined && refillAmount === undefined)
    throw new WireError("REFILL_INTERVAL_ALONE");
};

const checkExpiry = ({ keyExpiration }: Rules, expiresIn: number | null): void => {
  const { disableCustomExpiresTime, minExpiresIn, maxExpiresIn } = keyExpiration;
  if (disableCustomExpiresTime) throw new WireError("KEY_DISABLED_EXPIRATION");
  if (expiresIn === null) return;
  const days = expiresIn / daySeconds;
  if (days < minExpiresIn) throw new WireError("EXPIRES_IN_IS_TOO_SMALL");
  if (days > maxExpiresIn) throw new WireError("EXPIRES_IN_IS_TOO_LARGE");
};

const checkPrefix = ({ minimumPrefixLength, maximumPrefixLength }: Rules, prefix: string): void => {
  if (prefix.length < minimumPrefixLength || prefix.length > maximumPrefixLength)
    throw new WireError("INVALID_PREFIX_LENGTH");
};

const checkName = ({ minimumNameLength, maximumNameLength }: Rules, name: string): void => {
  if (name.length < minimumNameLength || name.length > maximumNameLength)
    throw new WireError("INVALID_NAME_LENGTH");
};

/** Throws the first thing that is wrong with a new key: its metadata, refill, expiry, prefix or name. */
export const checkNewKey = (rules: Rules, given: NewKey): void => {
  const { metadata, expiresIn = null, prefix, name } = given;
  if (metadata) checkMetadata(rules, metadata);
  checkRefill(given);
  if (expiresIn !== null) checkExpiry(rules, expiresIn);
  if (prefix !== undefined) checkPrefix(rules, prefix);
  if (name) checkName(rules, name);
};

/** Throws the first thing that is wrong with a change: the name, expiry, metadata or refill. */
export const checkKeyChange = (rules: Rules, change: KeyChange): void => {
  const { name, expiresIn, metadata } = change;
  if (name !== undefined) checkName(rules, name);
  if (expiresIn !== undefined) checkExpiry(rules, expiresIn);
  if (metadata !== undefined) checkMetadata(rules, metadata);
  checkRefill(change);
};
