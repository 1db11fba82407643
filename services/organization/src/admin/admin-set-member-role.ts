import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMemberOf } from "../members/find-member-of.ts";
import { giveRole } from "../members/give-role.ts";
import { showMember } from "../members/show-member.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { readRoles } from "../roles/role-rules.ts";

type AdminSetMemberRole = typeof operations.organization.adminSetMemberRole;

/**
 * Gives a member other roles, the owner's too. Throws `MEMBER_NOT_FOUND`, and
 * `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` rather than leaving no owner.
 */
export const adminSetMemberRole = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { params: { id: organizationId }, body, caller, session }: Call<AdminSetMemberRole>,
): Promise<Answer<OperationReply<AdminSetMemberRole>>> => {
  const role = readRoles(deps.config.organization, body.role);
  const changed = await deps.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    const member = await findMemberOf({ db: trx }, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    return giveRole(deps, trx, { member, role, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
};
