import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { cancelVoidInvitations } from "../invitations/cancel-void-invitations.ts";
import { isOwner } from "../roles/role-rules.ts";
import { keepOwner } from "./keep-owner.ts";
import { type MemberRow, updateRole } from "./queries.ts";

/**
 * Sets a member's roles, in a transaction that has locked the organization. Cancels the pending invitations that the new roles do not
 * allow. Throws `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` if no owner would remain.
 */
export const giveRole = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  {
    member,
    role,
    actor,
    caller,
  }: { member: MemberRow; role: string } & Pick<AuditEntry, "actor" | "caller">,
): Promise<MemberRow> => {
  const { id, organizationId, userId } = member;
  if (!isOwner(deps.config.organization, role)) await keepOwner(trx, deps.config, member);
  const changed = await updateRole(trx, { organizationId, id, role });
  if (!changed) throw new WireError("MEMBER_NOT_FOUND");
  await appendAudit(trx, deps, {
    actor,
    subject: { kind: "organization", id: organizationId },
    action: "member.role-changed",
    ...(caller ? { caller } : {}),
    before: { id, userId, role: member.role },
    after: { id, userId, role },
  });
  await cancelVoidInvitations(deps, trx, {
    member,
    roleLeft: role,
    actor,
    ...(caller ? { caller } : {}),
  });
  return changed;
};
