import { type Caller, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { deletePasskeyRow, type PasskeyRow } from "./queries.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

export type RemovePasskeyNeeds = Pick<Deps, "clock" | "db" | "newEventId" | "ring" | "wakeRelay">;

export interface PasskeyRemoval {
  id: string;
  user: { id: string; email: string; name: string };
  actor: AuditEntry["actor"];
  caller: Caller;
}

/** Deletes a passkey of a user and notifies them. Throws `PASSKEY_NOT_FOUND`. */
export const removePasskey = async (
  deps: RemovePasskeyNeeds,
  trx: Transaction<Tables>,
  { id, user, actor, caller }: PasskeyRemoval,
): Promise<PasskeyRow> => {
  const removed = await deletePasskeyRow(trx, { id, userId: user.id });
  if (!removed) throw new WireError("PASSKEY_NOT_FOUND");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "user", id: user.id },
    action: "passkey.removed",
    caller,
    before: { id, name: removed.name },
  });
  const { id: userId, email, name } = user;
  const passkeyName = removed.name ?? "";
  await appendEvent(trx, deps, {
    name: "passkey.removed",
    data: { userId, email, name, passkeyName, ...(await mailLocaleOf(trx, { userId, caller })) },
  });
  return removed;
};
