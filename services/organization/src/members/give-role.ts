import { WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { cancelOwnerInvitationsOf } from "../invitations/cancel-owner-invitations-of.ts";
import { isOwner } from "../roles/role-rules.ts";
import { keepOwner } from "./keep-owner.ts";
import { type MemberRow, updateRole } from "./queries.ts";

/**
 * Gives a member other roles, in a transaction that has locked the organization. Throws
 * `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` rather than leaving no owner. The owners whom somebody invited who
 * is none any more are not awaited any more either.
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
  const { organization } = deps.config;
  if (!isOwner(organization, role)) await keepOwner(trx, deps.config, member);
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
  if (isOwner(organization, member.role) && !isOwner(organization, role))
    await cancelOwnerInvitationsOf(deps, trx, {
      member,
      actor,
      ...(caller ? { caller } : {}),
    });
  return changed;
};
