import { type KeySecondFactor, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type ActingSession, lockOwner } from "../owners/lock-owner.ts";
import { addSuccessor } from "../merges/queries.ts";
import { auditedKey, auditedMembers } from "./show-key.ts";
import { createKeyText, type KeyText } from "./key-text.ts";
import { type ApiKeyRow, ownerOf } from "../db/key-row.ts";
import { opensSessions, requireStrongCreator } from "./key-sessions.ts";
import { type KeyRecipient, mailNewKey, type MailNewKeyNeeds } from "./mail-new-key.ts";
import { insertKey, isMadeByOwner, lockKey, updateRetired, updateSuccessor } from "./queries.ts";

export type RerollKeyNeeds = MailNewKeyNeeds & Pick<Deps, "db" | "newId" | "wakeRelay">;

/** The requested re-roll and its author. */
export interface AskedReroll extends Required<Pick<AuditEntry, "actor" | "caller">> {
  /** The key, which may have changed since. */
  key: ApiKeyRow;
  overlapSeconds: number;
  /** The session in which the owner, or a member of it, re-rolls the key. Undefined for an admin. */
  by?: ActingSession;
  /** The second factor that the session of the owner, the member or the admin has shown. */
  secondFactor: KeySecondFactor;
  /** The user to mail about the new key, if any. */
  recipient?: KeyRecipient | undefined;
}

/** A new key, its text, and the key that it replaces. */
export interface RerolledKey {
  successor: ApiKeyRow;
  text: string;
  retired: ApiKeyRow;
  /** The replaced key as it was before. */
  replaced: ApiKeyRow;
}

/**
 * Returns the row of a successor. It takes over the limits with what is left of them, and the schedule of the refill. A key that is disabled
 * stays so, because a re-roll must not lift the block of an admin.
 */
const successorOf = async (
  trx: Transaction<Tables>,
  key: ApiKeyRow,
  own: KeyText["columns"] &
    Pick<ApiKeyRow, "createdBy" | "id" | "secondFactor" | "sessionSince"> & { now: Date },
) => {
  const { now, ...columns } = own;
  const { refillInterval, lastRefillAt, permissions } = key;
  return {
    ...key,
    ...columns,
    lastRefillAt: refillInterval === null ? null : (lastRefillAt ?? key.createdAt),
    lifetimeLocked: key.lifetimeLocked ?? !(await isMadeByOwner(trx, key)),
    lifetimeFrom: key.lifetimeFrom ?? key.createdAt,
    createdAt: now,
    updatedAt: now,
    permissions: permissions && JSON.stringify(permissions),
  };
};

/** Locks the owner first, so that no successor outlives the owner's keys. */
const lockForReroll = async (
  deps: RerollKeyNeeds,
  trx: Transaction<Tables>,
  { key: found, by }: Pick<AskedReroll, "by" | "key">,
): Promise<ApiKeyRow> => {
  const state = await lockOwner(deps, trx, { owner: ownerOf(found), by });
  if (state === "banned") throw new WireError("USER_BANNED");
  const key = state === "free" ? await lockKey(trx, found.id) : undefined;
  const isExpired = key?.expiresAt && key.expiresAt.getTime() < deps.clock();
  if (!key || isExpired) throw new WireError("KEY_NOT_FOUND");
  if (by && opensSessions(deps.config, key)) requireStrongCreator(deps, by);
  return key;
};

/**
 * Replaces a key by a successor with the same owner, limits, permissions and metadata. The replaced key ends after the overlap, or when it
 * would have expired anyway. Until then it uses the limits of the successor, so that both together have the uses of one key. Of several
 * concurrent calls, one succeeds. Throws `KEY_RETIRED` to the others, `KEY_NOT_FOUND` also for an expired key, and `USER_BANNED`. Throws
 * `SESSION_IS_NOT_FRESH` if the key can stand for a session and the session of the re-roll is not strong.
 */
export const rerollKey = async (deps: RerollKeyNeeds, asked: AskedReroll): Promise<RerolledKey> => {
  const { overlapSeconds, actor, caller, secondFactor, recipient } = asked;
  const { id, prefix } = asked.key;
  const { text, columns } = await createKeyText(deps.config.apiKey, prefix ?? undefined);
  const successorId = await deps.newId("apikey");
  const rerolled = await deps.db.transaction().execute(async (trx) => {
    const key = await lockForReroll(deps, trx, asked);
    const now = new Date(deps.clock());
    const retired = await updateRetired(trx, {
      id,
      successorId,
      endsAt: new Date(now.getTime() + overlapSeconds * 1000),
      isImmediate: overlapSeconds === 0,
      now,
    });
    if (!retired) throw new WireError("KEY_RETIRED");
    const createdBy = key.organizationId === null ? null : (asked.by?.user.id ?? null);
    const sessionSince = asked.by?.session.createdAt ?? null;
    const own = { ...columns, id: successorId, createdBy, secondFactor, sessionSince, now };
    const row = await successorOf(trx, key, own);
    const successor = await insertKey(trx, row);
    // The database error as a cause would write the text to the log if keys are not hashed.
    if (!successor) throw new Error("apiKey.customKeyGenerator gave a key that there is already");
    await updateSuccessor(trx, { id, successorId });
    await addSuccessor(trx, { id, successorId });
    const members = ["enabled", "expiresAt", "successorId"] as const;
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id },
      action: "api-key.rerolled",
      caller,
      before: auditedKey(key, members),
      after: auditedKey(retired, members),
    });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "api-key", id: successorId },
      action: "api-key.created",
      caller,
      after: { ...auditedKey(successor, auditedMembers), predecessorId: id },
    });
    const isByAdmin = asked.by === undefined;
    await mailNewKey(deps, trx, { key: successor, recipient, caller, isByAdmin });
    return { successor, text, retired, replaced: key };
  });
  deps.wakeRelay();
  return rerolled;
};

/** Returns the replaced key as replies show it. */
export const showRetired = ({ id, expiresAt, updatedAt }: ApiKeyRow) => ({
  id,
  expiresAt: expiresAt ?? updatedAt,
});
