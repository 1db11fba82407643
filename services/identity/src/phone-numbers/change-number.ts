import { type Caller, type EventData, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import { endAccess } from "../access/end-access.ts";
import { takenError } from "../accounts/register-user.ts";
import type { Tables } from "../db/tables.ts";
import type { RightCode } from "../email-codes/examine-code.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { changeUser, type ChangeUserNeeds, type UserChange } from "../users/change-user.ts";
import { isPlaceholderEmail, mailLocaleOf } from "../users/email.ts";
import type { UserRow } from "../users/user-row.ts";
import {
  clearNumber,
  lockHolder,
  moveNumber,
  unusedSinceOf,
  updateNumberProven,
} from "./queries.ts";

interface NumberChange {
  user: Pick<UserRow, "email" | "id" | "name">;
  change: EventData<"phone-number.changed">["change"];
  caller: Caller;
}

/** Ends what began with the former number, and mails the user, in the transaction of a change of the number. */
export const settleNumberChange = async (
  deps: ChangeUserNeeds,
  trx: Transaction<Tables>,
  { user: { id: userId, email, name }, change, caller }: NumberChange,
): Promise<void> => {
  await endAccess(trx, deps, { userId, fact: "user.phone-changed" });
  if (isPlaceholderEmail(email)) return;
  const language = await mailLocaleOf(trx, { userId, caller });
  await appendEvent(trx, deps, {
    name: "phone-number.changed",
    data: { userId, email, name, change, ...language },
  });
};

/** Makes the change known of a number that was written beside the user of the request. */
const publishNumberChange = async (
  deps: ChangeUserNeeds,
  trx: Transaction<Tables>,
  { userId, actor, caller }: { userId: string; actor: AuditEntry["actor"]; caller: Caller },
): Promise<void> => {
  await advanceRevision(deps, trx, { userId, caller });
  if (deps.sessions.storesUserSnapshots)
    await appendEvent(trx, deps, { name: "user.updated", data: { userId } });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "user", id: userId },
    action: "user.phone-changed",
    after: { phoneNumber: "changed" },
  });
};

interface Taking {
  /** The user who takes it. Undefined for a new one. */
  takerId?: string;
  phoneNumber: string;
  caller: Caller;
}

/**
 * Frees a number for a user who has proven it, in the transaction that gives it to them. A number that its user has not proven, or not used
 * for a long time, goes to the next one who proves it. Throws `PHONE_NUMBER_EXIST` for any other.
 */
export const releaseNumber = async (
  deps: ChangeUserNeeds,
  trx: Transaction<Tables>,
  { caller, ...taking }: Taking,
): Promise<void> => {
  const now = deps.clock();
  const holder = await lockHolder(trx, { ...taking, unusedSince: unusedSinceOf(deps) });
  if (!holder) return;
  if (!holder.yields) throw new WireError("PHONE_NUMBER_EXIST");
  const { id: userId } = holder;
  await clearNumber(trx, userId, new Date(now));
  await publishNumberChange(deps, trx, { userId, actor: { kind: "system" }, caller });
  await settleNumberChange(deps, trx, { user: holder, change: "moved", caller });
};

interface Merging {
  from: string;
  to: string;
  /** The number that a merge has moved, which its undo moves back. */
  only?: string;
  actor: AuditEntry["actor"];
  caller: Caller;
}

/** Moves the number of a user in the transaction of a merge or its undo. Returns it, or null. Both users must be locked. */
export const mergeNumber = async (
  deps: ChangeUserNeeds,
  trx: Transaction<Tables>,
  { from, to, only, actor, caller }: Merging,
): Promise<string | null> => {
  const now = new Date(deps.clock());
  const moved = await moveNumber(trx, { from, to, now, ...(only !== undefined && { only }) });
  if (moved === null) return null;
  for (const userId of [from, to]) {
    await publishNumberChange(deps, trx, { userId, actor, caller });
    await endAccess(trx, deps, { userId, fact: "user.phone-changed" });
  }
  return moved;
};

interface ProvenNumber {
  user: UserRow;
  phoneNumber: string;
  right: RightCode;
  caller: Caller;
  actor?: UserChange["actor"];
  /** When the session of the change was created. */
  sessionCreatedAt?: Date;
}

/**
 * Gives a user the number that the code has proven, in place of an earlier one, and uses up the code. Returns undefined if the user was
 * deleted, or claimed after the session began. Throws `PHONE_NUMBER_EXIST` if another user has the number.
 */
export const takeNumber = (
  deps: ChangeUserNeeds,
  { user, phoneNumber, right, caller, actor, sessionCreatedAt }: ProvenNumber,
): Promise<UserRow | undefined> =>
  changeUser(deps, {
    user,
    change: { phoneNumber, phoneNumberVerified: true },
    guard: sessionCreatedAt ? { sessionCreatedAt } : { phoneNumber, phoneNumberVerified: false },
    action: "user.phone-changed",
    caller,
    ...(actor && { actor }),
    within: async (trx) => {
      await releaseNumber(deps, trx, { takerId: user.id, phoneNumber, caller });
      await right.spend(trx);
    },
    publish: async (trx, written) => {
      // The code has proven no other number that the application's hook has put in its place.
      if (written.phoneNumber !== phoneNumber) throw new WireError("FAILED_TO_UPDATE_USER");
      await updateNumberProven(trx, user.id, new Date(deps.clock()));
      await settleNumberChange(deps, trx, { user: written, change: "added", caller });
    },
  }).catch((error: unknown) => {
    throw takenError(error, new WireError("FAILED_TO_UPDATE_USER"));
  });
