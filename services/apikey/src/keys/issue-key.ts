import { type ApiKey, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { lockOwner } from "../owners/lock-owner.ts";
import { auditedKey } from "./audited-key.ts";
import { choosePermissions } from "./choose-permissions.ts";
import { generateKey } from "./generate-key.ts";
import type { ApiKeyRow } from "./key-row.ts";
import { checkNewKey, type NewKey } from "./key-rules.ts";
import { insertKey } from "./queries.ts";
import { showKey } from "./show-key.ts";
import { storedKey } from "./stored-key.ts";

/** What it works with. */
export type IssueKeyNeeds = Pick<Deps, "clock" | "config" | "db" | "newId">;

/** A key with its text. */
export type CreatedKey = ApiKey & { key: string };

/** Which key, whose, and who wants it. */
interface AskedKey extends Required<Pick<AuditEntry, "actor" | "caller">> {
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
const limitsOf = ({ config }: Pick<Deps, "config">, given: NewKey, now: number) => {
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
  deps: IssueKeyNeeds,
  { given, userId }: AskedKey,
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
const write = (deps: IssueKeyNeeds, row: NewRow, { actor, caller }: AskedKey): Promise<ApiKeyRow> =>
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

/**
 * Creates a key, whose text this alone shows. Throws what `checkNewKey` finds wrong, and `INVALID_SESSION` or `USER_BANNED` where
 * the owner has ceased to exist or was banned meanwhile.
 */
export const issueKey = async (deps: IssueKeyNeeds, asked: AskedKey): Promise<CreatedKey> => {
  checkNewKey(deps.config.apiKey, asked.given);
  const { key, row } = await draft(deps, asked);
  return { ...showKey(await write(deps, row, asked)), key };
};
