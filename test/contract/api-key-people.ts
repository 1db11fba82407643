import {
  type LatchkeyConfig,
  type OperationReply,
  operations,
  type Permissions,
  type Wire,
} from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import type { Stack } from "../stack.ts";
import { adminConfig } from "./admin-people.ts";
import { refusal, type Rows, type SignedUp } from "./identity-people.ts";
import { done, send, sendInside } from "./organization-people.ts";

/** Configuration of stacks with keys. Services may call. */
export const apiKeyConfig = (
  apiKey: LatchkeyConfig["apiKey"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({ ...adminConfig, ...own, apiKey });

export const ofKeys = operations.apikey;

/** A key as its owner sees it. */
export type ShownKey = Wire<OperationReply<typeof ofKeys.getApiKey>>;
/** A key with its text, as returned at its creation. */
export type CreatedKey = Wire<OperationReply<typeof ofKeys.createApiKey>>;
export type AdminKey = Wire<OperationReply<typeof ofKeys.adminDisableApiKey>>;
export type ListedKeys = Wire<OperationReply<typeof ofKeys.adminListApiKeys>>;
export type Verdict = Wire<OperationReply<typeof ofKeys.verifyApiKey>>;
export type Usage = Wire<OperationReply<typeof ofKeys.readApiKeyUsage>>;

type Holder = Pick<SignedUp, "browser">;

/** Creates a key for oneself. */
export const createKey = (owner: Holder, own: object = {}): Promise<CreatedKey> =>
  done(send<CreatedKey>(owner, ofKeys.createApiKey, { body: own }));

/** Lets a service create a key for a user. */
export const createKeyFor = (
  stack: Stack,
  { user }: Pick<SignedUp, "user">,
  own: object = {},
): Promise<CreatedKey> => {
  const body = { userId: user.id, ...own };
  return done(sendInside<CreatedKey>(stack, ofKeys.createApiKeyFor, { body }));
};

export const getKey = (owner: Holder, id: string): Promise<ShownKey> =>
  done(send<ShownKey>(owner, ofKeys.getApiKey, { query: { id } }));

export const listKeys = (owner: Holder, query: object = {}): Promise<ShownKey[]> =>
  done(send<ShownKey[]>(owner, ofKeys.listApiKeys, { query: { ...query } }));

export const updateKey = (owner: Holder, keyId: string, own: object): Promise<ShownKey> =>
  done(send<ShownKey>(owner, ofKeys.updateApiKey, { body: { keyId, ...own } }));

export const deleteKey = (owner: Holder, keyId: string): Promise<{ success: true }> =>
  done(send<{ success: true }>(owner, ofKeys.deleteApiKey, { body: { keyId } }));

/** Uses a key once, as a service does. */
export const verify = (stack: Stack, key: string, permissions?: Permissions): Promise<Verdict> => {
  const body = { key, ...(permissions && { permissions }) };
  return done(sendInside<Verdict>(stack, ofKeys.verifyApiKey, { body }));
};

/** Returns the code of a verification, or null for a valid key. */
export const verdictOf = async (
  stack: Stack,
  key: string,
  permissions?: Permissions,
): Promise<string | null> => (await verify(stack, key, permissions)).error?.code ?? null;

/** Answer of a verification that refuses a key. */
const refused = (code: string, message: string): Verdict => ({
  valid: false,
  error: { code, message },
  key: null,
});

/** Every way in which a verification refuses a key, except `RATE_LIMITED`, which includes a time. */
export const verdicts = {
  malformed: refused("KEY_NOT_FOUND", "Invalid API key."),
  unknown: refused("INVALID_API_KEY", "Invalid API key."),
  disabled: refused("KEY_DISABLED", "API Key is disabled"),
  expired: refused("KEY_EXPIRED", "API Key has expired"),
  banned: refused("USER_IS_BANNED", "User is banned"),
  forbidden: refused("KEY_NOT_FOUND", "API Key not found"),
  exhausted: refused("USAGE_EXCEEDED", "API Key has reached its usage limit"),
} as const;

/** Every error of the operations of keys, as clients see it. */
export const errors = {
  invalidSession: refusal(
    401,
    "UNAUTHORIZED_OR_INVALID_SESSION",
    "Unauthorized or invalid session",
  ),
  unauthorized: refusal(401, "UNAUTHORIZED", "Unauthorized"),
  forbidden: refusal(403, "FORBIDDEN", "Forbidden"),
  banned: refusal(401, "USER_IS_BANNED", "User is banned"),
  userNotFound: refusal(400, "USER_NOT_FOUND", "User not found"),
  notFound: refusal(404, "API_KEY_NOT_FOUND", "API Key not found"),
  serverOnly: refusal(
    400,
    "THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY",
    "The property you're trying to set can only be set from the server auth instance only.",
  ),
  metadataDisabled: refusal(400, "METADATA_IS_DISABLED", "Metadata is disabled."),
  metadataType: refusal(
    400,
    "METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED",
    "metadata must be an object or undefined",
  ),
  amountAlone: refusal(
    400,
    "REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED",
    "refillAmount is required when refillInterval is provided",
  ),
  intervalAlone: refusal(
    400,
    "REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED",
    "refillInterval is required when refillAmount is provided",
  ),
  expiryDisabled: refusal(
    400,
    "CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED",
    "Custom key expiration values are disabled.",
  ),
  expiresTooSoon: refusal(
    400,
    "THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE",
    "The expiresIn is smaller than the predefined minimum value.",
  ),
  expiresTooLate: refusal(
    400,
    "THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE",
    "The expiresIn is larger than the predefined maximum value.",
  ),
  prefixLength: refusal(
    400,
    "THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL",
    "The prefix length is either too large or too small.",
  ),
  nameLength: refusal(
    400,
    "THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL",
    "The name length is either too large or too small.",
  ),
  nothingToUpdate: refusal(400, "NO_VALUES_TO_UPDATE", "No values to update."),
} as const;

/** The answer to input that the schema rejects, with the invalid members. */
export const invalid = (part: "body" | "query", ...paths: string[]) => ({
  status: 400,
  body: {
    code: "VALIDATION_ERROR",
    message: `Invalid ${part} parameters`,
    issues: paths.map((path) => ({ path, message: expect.any(String) as string })),
  },
  cookies: [],
});

/** The answer of an operation that does not exist. */
export const notThere = { status: 404, body: undefined, cookies: [] };

/** A failing function or operation reveals nothing. */
export const failed = { status: 500, body: undefined, cookies: [] };

/** Returns a hash of all keys and their audit log. It excludes owner states and usage counts, which are written later. */
export const dumpKeys = (rows: Rows): Promise<unknown> =>
  rows.ask(
    ["api_key", "audit"]
      .map(
        (table) =>
          `select '${table}' as table, count(*), md5(string_agg(r::text, ',' order by r::text)) from apikey.${table} r`,
      )
      .join(" union all "),
  );

/** Returns actions and actors of a key's audit log, in order. */
export const auditOf = (rows: Rows, id: string) =>
  rows.ask(
    `select action, actor_kind, actor_id from apikey.audit
     where subject_kind = 'api-key' and subject_id = $1 order by id`,
    id,
  );

interface Told {
  body: { code: string };
}

/**
 * For each check, returns a body that fails it and all later ones, with the expected answer of that check alone. `right` holds
 * the other required members.
 */
export const inOrder = <T extends Told>(
  checks: readonly (readonly [wrong: object, told: T])[],
  right: object = {},
) =>
  checks.map(([, told], index) => {
    const wrongs = checks.slice(index).map(([wrong]) => wrong);
    const body = Object.assign({}, right, ...wrongs.toReversed()) as object;
    return { code: told.body.code, body, told };
  });

/** Sums the uses of all days by outcome. */
export const sumOf = ({ days }: Usage): Partial<Usage["days"][number]> => {
  const sums: Record<string, number> = {};
  for (const { day: _, ...counts } of days)
    for (const [outcome, count] of Object.entries(counts))
      if (count > 0) sums[outcome] = (sums[outcome] ?? 0) + count;
  return sums;
};

/** Waits until the usage equals these counts. A kind that is not named must be zero. */
export const untilUsage = (read: () => Promise<Usage>, counts: object): Promise<boolean> => {
  const wanted = JSON.stringify(Object.entries(counts).toSorted());
  return until(
    async () => JSON.stringify(Object.entries(sumOf(await read())).toSorted()) === wanted,
    { describe: `the counts ${wanted}` },
  );
};
