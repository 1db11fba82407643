import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import { dropAccounts } from "../accounts/drop-accounts.ts";
import { keepAdmin } from "../admin/keep-admin.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { dropTokens } from "../one-time-tokens/single-use-token.ts";
import { endPendingSignIns } from "../mailed-sign-in/end-pending-sign-ins.ts";
import { dropUndoLinks } from "../profile/email-undo-link.ts";
import { deleteUserRow, lockUser } from "./queries.ts";

export type EraseUserNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "revisionRecords"
  | "newEventId"
  | "providers"
  | "ring"
  | "sessions"
  | "urgentEvents"
  | "wakeRelay"
>;

export interface Erasure {
  userId: string;
  caller: Caller;
  actor: AuditEntry["actor"];
  /** Runs first in the transaction. An error rolls it back. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/**
 * Deletes a user permanently, with accounts and sessions. Other services clean up before the client gets the reply, or
 * later by the event. Events make the providers revoke their grants. Returns false if there is no such user. Throws
 * `YOU_CANNOT_REMOVE_THE_LAST_ADMIN` for the last admin.
 */
export const eraseUser = async (
  deps: EraseUserNeeds,
  { userId, caller, actor, within }: Erasure,
): Promise<boolean> => {
  const event = await deps.db.transaction().execute(async (trx) => {
    await within?.(trx);
    await keepAdmin(deps, trx, { losing: userId });
    if (!(await lockUser(trx, userId))) return undefined;
    await dropAccounts(trx, deps, { userId });
    await endPendingSignIns(trx, deps, { userId });
    const deleted = await deleteUserRow(trx, userId);
    if (!deleted) return undefined;
    await dropTokens(trx, userId);
    await dropUndoLinks(trx, userId);
    await advanceRevision(deps, trx, { userId, caller });
    const { email } = deleted;
    const told = await appendEvent(trx, deps, { name: "user.deleted", data: { userId, email } });
    const subject = { kind: "user", id: userId };
    await appendAudit(trx, deps, { actor, subject, action: "user.deleted", caller });
    return told;
  });
  if (!event) return false;
  deps.wakeRelay();
  deps.urgentEvents.note(caller, event);
  await deps.sessions.revokeAll(userId, undefined, {
    actor,
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
    caller,
  });
  return true;
};
