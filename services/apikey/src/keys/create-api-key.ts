import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import {
  type Answer,
  appendAudit,
  type AuditEntry,
  type Call,
  serviceActor,
  sessionActor,
} from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { lockOwner } from "../owners/lock-owner.ts";
import { auditedKey } from "./audited-key.ts";
import { checkOwner } from "./check-owner.ts";
import { choosePermissions } from "./choose-permissions.ts";
import { generateKey } from "./generate-key.ts";
import type { ApiKeyRow } from "./key-row.ts";
import { checkNewKey, type NewKey, refuseOtherOwner, refuseServicesMembers } from "./key-rules.ts";
import { insertKey } from "./queries.ts";
import { refuseBanned } from "./refuse-banned.ts";
import { showKey } from "./show-key.ts";
import { storedKey } from "./stored-key.ts";

type CreateApiKey = typeof operations.apikey.createApiKey;
type CreateApiKeyFor = typeof operations.apikey.createApiKeyFor;
type CreatedKey = OperationReply<CreateApiKey>;
type Needs = Pick<Deps, "clock" | "config" | "db" | "newId">;

interface Asked extends Required<Pick<AuditEntry, "actor" | "caller">> {
  given: NewKey;
  userId: string;
}

type NewRow = Parameters<typeof insertKey>[1];

const auditedMembers = [
  "userId",
  "name",
  "prefix",
  "expiresAt",
  "remaining",
  "refillAmount",
  "refillInterval",
  "rateLimitEnabled",
  "rateLimitMax",
  "rateLimitTimeWindow",
  "permissions",
] as const satisfies readonly (keyof ApiKeyRow)[];

/** What of a key its options decide where nothing is said: its expiry and its rate limit. */
const limitsOf = ({ config }: Pick<Needs, "config">, given: NewKey, now: number) => {
  const { keyExpiration, rateLimit } = config.apiKey;
  const lifetime = given.expiresIn ?? keyExpiration.defaultExpiresIn;
  return {
    expiresAt: lifetime === null ? null : new Date(now + lifetime * 1000),
    rateLimitEnabled: given.rateLimitEnabled ?? rateLimit.enabled,
    rateLimitTimeWindow: given.rateLimitTimeWindow ?? rateLimit.timeWindow,
    rateLimitMax: given.rateLimitMax ?? rateLimit.maxRequests,
    remaining: given.remaining ?? given.refillAmount ?? null,
    refillAmount: given.refillAmount ?? null,
    refillInterval: given.refillInterval ?? null,
  };
};

/** The key's text, which is kept nowhere, and the row to write. */
const draft = async (
  deps: Needs,
  { given, userId }: Asked,
): Promise<{ key: string; row: NewRow }> => {
  const { apiKey } = deps.config;
  const { shouldStore, charactersLength } = apiKey.startingCharactersConfig;
  const prefix = given.prefix ?? apiKey.defaultPrefix;
  const permissions = await choosePermissions(apiKey, given, userId);
  const key = await generateKey(apiKey, prefix);
  const now = deps.clock();
  const row = {
    id: await deps.newId("apikey"),
    name: given.name ?? null,
    start: shouldStore ? [...key].slice(0, charactersLength).join("") : null,
    prefix: prefix || null,
    key: storedKey(apiKey, key),
    userId,
    ...limitsOf(deps, given, now),
    lastRefillAt: null,
    enabled: true,
    disabledByAdmin: false,
    requestCount: 0,
    lastRequest: null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
    permissions: permissions && JSON.stringify(permissions),
    metadata: given.metadata ? JSON.stringify(given.metadata) : null,
  };
  return { key, row };
};

/** No key outlives its owner: who deletes their keys waits for this, or this finds them gone. */
const write = (deps: Needs, row: NewRow, { actor, caller }: Asked): Promise<ApiKeyRow> =>
  deps.db.transaction().execute(async (trx) => {
    const owner = await lockOwner(deps, trx, row.userId);
    if (owner === "departed") throw new WireError("INVALID_SESSION");
    if (owner === "banned") throw new WireError("USER_BANNED");
    const written = await insertKey(trx, row);
    // A cause would carry the text to the log where keys are stored as they are.
    if (!written) throw new Error("apiKey.customKeyGenerator gave a key that there is already");
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id: written.id },
      action: "api-key.created",
      caller,
      after: auditedKey(written, auditedMembers),
    });
    return written;
  });

const create = async (deps: Needs, asked: Asked): Promise<CreatedKey> => {
  checkNewKey(deps.config.apiKey, asked.given);
  const { key, row } = await draft(deps, asked);
  return { ...showKey(await write(deps, row, asked)), key };
};

/**
 * Creates a key of the caller's, whose text this answer alone shows. Throws `INVALID_SESSION` where another owner is named or
 * the caller has ceased to exist, `SERVER_ONLY_PROPERTY` for limits and permissions, `USER_BANNED`, and what `checkNewKey`
 * finds wrong.
 */
export const createApiKey = async (
  deps: Needs,
  { body: given, caller, session }: Call<CreateApiKey>,
): Promise<Answer<CreatedKey>> => {
  const { user } = session;
  refuseOtherOwner(given, user.id);
  refuseBanned(user, deps.clock());
  refuseServicesMembers(given);
  const actor = sessionActor(session);
  return { reply: await create(deps, { given, userId: user.id, actor, caller }) };
};

/**
 * Creates a key for a user in the name of a service, with limits and permissions. Throws what `checkOwner` and `checkNewKey`
 * find wrong, and `INVALID_SESSION` where the user ceases to exist meanwhile.
 */
export const createApiKeyFor = async (
  deps: Needs & Pick<Deps, "identity">,
  { body: given, caller }: Call<CreateApiKeyFor>,
): Promise<Answer<CreatedKey>> => {
  const userId = await checkOwner(deps, caller, given.userId);
  const actor = serviceActor(caller);
  return { reply: await create(deps, { given, userId, actor, caller }) };
};
