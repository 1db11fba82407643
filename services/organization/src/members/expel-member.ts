import { appendAudit, appendEvent, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { cancelOwnerInvitationsOf } from "../invitations/cancel-owner-invitations-of.ts";
import { deleteMember, type MemberRow } from "./queries.ts";

/** What it works with. */
export type ExpelMemberNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/**
 * Ends a membership, and withdraws the invitations to be an owner that the user sent, in a transaction that has locked the
 * organization; identity takes the organization from the user's sessions by the event. False where there was none any more.
 */
export const expelMember = async (
  deps: ExpelMemberNeeds,
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
  await cancelOwnerInvitationsOf(deps, trx, { member, actor, ...(caller ? { caller } : {}) });
  return true;
};
