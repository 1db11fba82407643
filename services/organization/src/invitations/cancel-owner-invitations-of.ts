import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { MemberRow } from "../members/queries.ts";
import { cancelSentWithRole } from "./queries.ts";

/**
 * Withdraws the pending invitations to be an owner that a member sent who is an owner no more, so that they do not come back
 * as one by another address of theirs; others stay. In a transaction that has locked the organization.
 */
export const cancelOwnerInvitationsOf = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { member, actor, caller }: { member: MemberRow } & Pick<AuditEntry, "actor" | "caller">,
): Promise<void> => {
  const { organizationId, userId } = member;
  const role = deps.config.organization.creatorRole;
  const invitationIds = await cancelSentWithRole(trx, { organizationId, userId, role });
  if (invitationIds.length === 0) return;
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "invitation.canceled",
    ...(caller ? { caller } : {}),
    before: { invitationIds, status: "pending" },
  });
};
