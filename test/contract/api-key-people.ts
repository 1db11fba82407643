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

/** Services may ask. */
export const apiKeyConfig = (
  apiKey: LatchkeyConfig["apiKey"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({ ...adminConfig, ...own, apiKey });

export const ofKeys = operations.apikey;

/** A key as its owner sees it. */
export type ShownKey = Wire<OperationReply<typeof ofKeys.getApiKey>>;
/** A key with its text, as who creates it sees it. */
export type CreatedKey = Wire<OperationReply<typeof ofKeys.createApiKey>>;
export type AdminKey = Wire<OperationReply<typeof ofKeys.adminDisableApiKey>>;
export type ListedKeys = Wire<OperationReply<typeof ofKeys.adminListApiKeys>>;
export type Verdict = Wire<OperationReply<typeof ofKeys.verifyApiKey>>;
export type Usage = Wire<OperationReply<typeof ofKeys.readApiKeyUsage>>;

type Holder = Pick<SignedUp, "browser">;

/** A key of one's own. */
export const createKey = (owner: Holder, own: object = {}): Promise<CreatedKey> =>
  done(send<CreatedKey>(owner, ofKeys.createApiKey, { body: own }));

/** A key that a service creates for somebody. */
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

/** The code that a verification answers; null where the key is good. */
export const verdictOf = async (
  stack: Stack,
  key: string,
  permissions?: Permissions,
): Promise<string | null> => (await verify(stack, key, permissions)).error?.code ?? null;

/** Waits until a verification answers a code, or null for a good key. */
export const untilVerdict = (stack: Stack, key: string, code: string | null): Promise<boolean> =>
  until(async () => (await verdictOf(stack, key)) === code, { describe: `the verdict ${code}` });

/** What a verification that refuses a key answers. */
const refused = (code: string, message: string): Verdict => ({
  valid: false,
  error: { code, message },
  key: null,
});

/** Every way in which a verification refuses a key, but for `RATE_LIMITED`, which tells a time. */
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

/** An input that the schema refuses, with the member that is wrong. */
export const invalid = (part: "body" | "query", ...paths: string[]) => ({
  status: 400,
  body: {
    code: "VALIDATION_ERROR",
    message: `Invalid ${part} parameters`,
    issues: paths.map((path) => ({ path, message: expect.any(String) as string })),
  },
  cookies: [],
});

/** An operation that there is not. */
export const notThere = { status: 404, body: undefined, cookies: [] };

/** A function or an operation that fails tells nothing. */
export const failed = { status: 500, body: undefined, cookies: [] };

/** A print of all keys, and of all that was done to them; what is told of owners and counted of uses comes when it may. */
export const dumpKeys = (rows: Rows): Promise<unknown> =>
  rows.ask(
    ["api_key", "audit"]
      .map(
        (table) =>
          `select '${table}' as table, count(*), md5(string_agg(r::text, ',' order by r::text)) from apikey.${table} r`,
      )
      .join(" union all "),
  );

/** What was done to a key and by whom, in order. */
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
 * Bodies in which everything is wrong from a check on, with what is told of each: of that check alone. `right` is what
 * they need besides.
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

/** Uses by what came of them, on all days together. */
export const sumOf = ({ days }: Usage): Partial<Usage["days"][number]> => {
  const sums: Record<string, number> = {};
  for (const { day: _, ...counts } of days)
    for (const [outcome, count] of Object.entries(counts))
      if (count > 0) sums[outcome] = (sums[outcome] ?? 0) + count;
  return sums;
};

/** Waits until so many uses of a key are counted, of each kind that is not named none. */
export const untilUsage = (read: () => Promise<Usage>, counts: object): Promise<boolean> => {
  const wanted = JSON.stringify(Object.entries(counts).toSorted());
  return until(
    async () => JSON.stringify(Object.entries(sumOf(await read())).toSorted()) === wanted,
    { describe: `the counts ${wanted}` },
  );
};
