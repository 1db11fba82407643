import type { Caller } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import { dropAccounts } from "../accounts/drop-accounts.ts";
import { keepAdmin } from "../admin/keep-admin.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { advanceEpoch } from "../epochs/advance-epoch.ts";
import { dropTokens } from "../verification/single-use-token.ts";
import { lockUser } from "./lock-user.ts";
import { deleteUserRow } from "./queries.ts";

/** What it works with. */
export type EraseUserNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "epochNotes"
  | "newEventId"
  | "providers"
  | "ring"
  | "sessions"
  | "wakeRelay"
>;

export interface Erasure {
  userId: string;
  caller: Caller;
  actor: AuditEntry["actor"];
  /** What else is done in the transaction, before; what it throws prevents the rest. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
}

/**
 * Deletes a user for good: row, accounts and sessions go together; other services clean up, and providers end what they
 * granted, by events. False when there was none. Throws `YOU_CANNOT_REMOVE_THE_LAST_ADMIN` rather than leaving no admin.
 */
export const eraseUser = async (
  deps: EraseUserNeeds,
  { userId, caller, actor, within }: Erasure,
): Promise<boolean> => {
  const isErased = await deps.db.transaction().execute(async (trx) => {
    await within?.(trx);
    await keepAdmin(deps, trx, { losing: userId });
    if (!(await lockUser(trx, userId))) return false;
    await dropAccounts(trx, deps, { userId });
    const deleted = await deleteUserRow(trx, userId);
    if (!deleted) return false;
    await dropTokens(trx, userId);
    await advanceEpoch(deps, trx, { userId, caller });
    const { email } = deleted;
    await appendEvent(trx, deps, { name: "user.deleted", data: { userId, email } });
    const subject = { kind: "user", id: userId };
    await appendAudit(trx, deps, { actor, subject, action: "user.deleted", caller });
    return true;
  });
  if (!isErased) return false;
  deps.wakeRelay();
  await deps.sessions.revokeAll(userId, undefined, {
    actor,
    subject: { kind: "user", id: userId },
    action: "session.revoked-all",
    caller,
  });
  return true;
};
