import {
  type ApiKey,
  type ApiKeyRequest,
  type KeySecondFactor,
  type Options,
  type Permissions,
  permissions as permissionsSchema,
  WireError,
} from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { type ApiKeyRow, type KeyOwner, ownerColumns } from "../db/key-row.ts";
import type { Deps } from "../deps.ts";
import { type ActingSession, lockOwner } from "../owners/lock-owner.ts";
import { checkNewKey, defaultLifetime, type NewKey } from "./key-rules.ts";
import { opensSessions, requireStrongCreator } from "./key-sessions.ts";
import { createKeyText } from "./key-text.ts";
import { type KeyRecipient, mailNewKey, type MailNewKeyNeeds } from "./mail-new-key.ts";
import { insertKey } from "./queries.ts";
import { auditedKey, auditedMembers, showKey } from "./show-key.ts";

const request: ApiKeyRequest = { method: "POST", path: "/api-key/create" };

/** Throws for permissions that a key cannot have. */
const readDefaults = (defaults: Permissions): Permissions => {
  const { data, error } = permissionsSchema.safeParse(defaults);
  if (data) return data;
  const [fault] = error?.issues ?? [];
  const where = ["apiKey.permissions.defaultPermissions", ...(fault?.path ?? [])].map(String);
  throw new Error(`${where.join(".")}: gave no permissions of a key: ${fault?.message}`);
};

/**
 * Returns the permissions of a new key: the requested ones, else the default of the options, else null. Throws if the options return
 * permissions that a key cannot have.
 */
const choosePermissions = async (
  { permissions: { defaultPermissions } }: Pick<Options["apiKey"], "permissions">,
  { permissions }: Pick<NewKey, "permissions">,
  owner: KeyOwner,
): Promise<Permissions | null> => {
  if (permissions) return permissions;
  const defaults =
    typeof defaultPermissions === "function"
      ? await defaultPermissions(Object.values(owner)[0] ?? "", request)
      : defaultPermissions;
  return defaults == null ? null : readDefaults(defaults);
};

export type IssueKeyNeeds = MailNewKeyNeeds & Pick<Deps, "db" | "newId" | "wakeRelay">;

/** A key with its text. */
export type CreatedKey = ApiKey & { key: string };

/** The requested key, its owner and its creator. */
interface AskedKey extends Required<Pick<AuditEntry, "actor" | "caller">> {
  given: NewKey;
  owner: KeyOwner;
  /** The session in which the owner, or a member of it, creates the key. Undefined for a service or an admin. */
  by?: ActingSession;
  /** The second factor that the session of the owner, the member or the admin has shown. Null for a service. */
  secondFactor: KeySecondFactor;
  /** The user to mail about the key, if any. */
  recipient?: KeyRecipient | undefined;
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
  { given, owner, by, secondFactor }: AskedKey,
): Promise<{ key: string; row: NewRow }> => {
  const { apiKey } = deps.config;
  const permissions = await choosePermissions(apiKey, given, owner);
  if (by && opensSessions(deps.config, { ...ownerColumns(owner), permissions }))
    requireStrongCreator(deps, by);
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
    secondFactor,
    sessionSince: by?.session.createdAt ?? null,
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
  { owner, actor, caller, by, recipient }: AskedKey,
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
    await mailNewKey(deps, trx, { key: written, recipient, caller, isByAdmin: by === undefined });
    return written;
  });

/**
 * Creates a key and returns it with its text. Throws the errors of `checkNewKey`. Throws `USER_BANNED` for a banned owner, and
 * `INVALID_SESSION` for a deleted one, or one who was claimed since the session began. Throws `SESSION_IS_NOT_FRESH` if the key would stand
 * for a session and the session that creates it is not strong.
 */
export const issueKey = async (deps: IssueKeyNeeds, asked: AskedKey): Promise<CreatedKey> => {
  const isOwn = asked.by !== undefined;
  checkNewKey(deps.config.apiKey, asked.given, { isOwn });
  const { key, row } = await draft(deps, asked);
  const written = await write(deps, row, asked);
  deps.wakeRelay();
  return { ...showKey(written), key };
};
