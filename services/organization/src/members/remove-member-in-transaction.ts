import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { cancelVoidInvitations } from "../invitations/cancel-void-invitations.ts";
import { deleteMember, type MemberRow } from "./queries.ts";

export type RemoveMemberInTransactionNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/**
 * Ends a membership and cancels the pending invitations that the user sent, in a transaction that has locked the organization. The
 * published event makes identity remove the organization from the user's sessions. Returns false if the membership had already ended.
 */
export const removeMemberInTransaction = async (
  deps: RemoveMemberInTransactionNeeds,
  trx: Transaction<Tables>,
  { member, actor, caller }: { member: MemberRow } & Pick<AuditEntry, "actor" | "caller">,
): Promise<boolean> => {
  const { id, organizationId, userId } = member;
  const ended = await deleteMember(trx, { organizationId, id });
  if (!ended) return false;
  await appendEvent(trx, deps, { name: "member.removed", data: { organizationId, userId } });
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "member.removed",
    ...(caller ? { caller } : {}),
    before: { id, userId, role: ended.role },
  });
  await cancelVoidInvitations(deps, trx, {
    member,
    roleLeft: undefined,
    actor,
    ...(caller ? { caller } : {}),
  });
  return true;
};
