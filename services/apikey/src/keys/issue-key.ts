import { type ApiKey, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { type ActingSession, lockOwner } from "../owners/lock-owner.ts";
import { auditedKey, auditedMembers } from "./audited-key.ts";
import { choosePermissions } from "./choose-permissions.ts";
import { createKeyText } from "./create-key-text.ts";
import { type KeyOwner, ownerColumns } from "./key-owner.ts";
import type { ApiKeyRow } from "./key-row.ts";
import { checkNewKey, type NewKey } from "./key-rules.ts";
import { defaultLifetime } from "./lifetime-rules.ts";
import { insertKey } from "./queries.ts";
import { showKey } from "./show-key.ts";

export type IssueKeyNeeds = Pick<Deps, "clock" | "config" | "db" | "newId">;

/** A key with its text. */
export type CreatedKey = ApiKey & { key: string };

/** The requested key, its owner and its creator. */
interface AskedKey extends Required<Pick<AuditEntry, "actor" | "caller">> {
  given: NewKey;
  owner: KeyOwner;
  /** The session in which the owner, or a member of it, creates the key. Undefined for a service or an admin. */
  by?: ActingSession;
}

type NewRow = Parameters<typeof insertKey>[1];

/** Returns the expiry and the rate limit, from the options if the request does not set them. */
const limitsOf = ({ config }: Pick<Deps, "config">, given: NewKey, now: number) => {
  const { rateLimit } = config.apiKey;
  const lifetime = given.expiresIn ? given.expiresIn * 1000 : defaultLifetime(config.apiKey);
  return {
    expiresAt: lifetime === null ? null : new Date(now + lifetime),
    rateLimitEnabled: given.rateLimitEnabled ?? rateLimit.enabled,
    rateLimitTimeWindow: given.rateLimitTimeWindow ?? rateLimit.timeWindow,
    rateLimitMax: given.rateLimitMax ?? rateLimit.maxRequests,
    remaining: given.remaining ?? given.refillAmount ?? null,
    refillAmount: given.refillAmount ?? null,
    refillInterval: given.refillInterval ?? null,
  };
};

/** Returns the key's text, which is never stored, and the row to write. */
const draft = async (
  deps: IssueKeyNeeds,
  { given, owner, by }: AskedKey,
): Promise<{ key: string; row: NewRow }> => {
  const { apiKey } = deps.config;
  const permissions = await choosePermissions(apiKey, given, owner);
  const { text: key, columns } = await createKeyText(apiKey, given.prefix ?? apiKey.defaultPrefix);
  const now = deps.clock();
  const row = {
    id: await deps.newId("apikey"),
    name: given.name ?? null,
    ...columns,
    ...ownerColumns(owner),
    ...limitsOf(deps, given, now),
    lastRefillAt: null,
    enabled: true,
    disabledByAdmin: false,
    createdBy: "organizationId" in owner ? (by?.user.id ?? null) : null,
    successorId: null,
    lifetimeFrom: null,
    lifetimeLocked: by === undefined,
    requestCount: 0,
    lastRequest: null,
    createdAt: new Date(now),
    updatedAt: new Date(now),
    permissions: permissions && JSON.stringify(permissions),
    metadata: given.metadata ? JSON.stringify(given.metadata) : null,
  };
  return { key, row };
};

/**
 * Locks the owner, so that no key outlives its owner. Either the deletion of the owner's keys waits for this transaction, or this
 * transaction sees that the owner is deleted.
 */
const write = (
  deps: IssueKeyNeeds,
  row: NewRow,
  { owner, actor, caller, by }: AskedKey,
): Promise<ApiKeyRow> =>
  deps.db.transaction().execute(async (trx) => {
    const state = await lockOwner(deps, trx, { owner, by });
    if (state === "departed") throw new WireError("INVALID_SESSION");
    if (state === "banned") throw new WireError("USER_BANNED");
    const written = await insertKey(trx, row);
    // The database error as a cause would write the text to the log if keys are not hashed.
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
 * Creates a key and returns it with its text. Throws the errors of `checkNewKey`. Throws `USER_BANNED` for a banned owner, and
 * `INVALID_SESSION` for a deleted one, or one who was claimed since the session began.
 */
export const issueKey = async (deps: IssueKeyNeeds, asked: AskedKey): Promise<CreatedKey> => {
  const isOwn = asked.by !== undefined;
  checkNewKey(deps.config.apiKey, asked.given, { isOwn });
  const { key, row } = await draft(deps, asked);
  return { ...showKey(await write(deps, row, asked)), key };
};
