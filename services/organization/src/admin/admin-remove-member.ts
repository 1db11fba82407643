import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { expelMember, type ExpelMemberNeeds } from "../members/expel-member.ts";
import { findMemberOf } from "../members/find-member-of.ts";
import { keepOwner } from "../members/keep-owner.ts";
import { showMember } from "../members/show-member.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";

type AdminRemoveMember = typeof operations.organization.adminRemoveMember;

/**
 * Ends a membership, also that of an owner, and takes the organization from what the user's sessions work in. Throws
 * `MEMBER_NOT_FOUND`, and `YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER` rather than leaving no owner.
 */
export const adminRemoveMember = async (
  deps: ExpelMemberNeeds & Pick<Deps, "db" | "identity" | "logger" | "wakeRelay">,
  { params: { id: organizationId }, body, caller, session }: Call<AdminRemoveMember>,
): Promise<Answer<OperationReply<AdminRemoveMember>>> => {
  const removed = await deps.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    const member = await findMemberOf({ db: trx }, { organizationId, id: body.memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    await keepOwner(trx, deps.config, member);
    await expelMember(deps, trx, { member, actor: sessionActor(session), caller });
    return member;
  });
  deps.wakeRelay();
  const userIds = [removed.userId];
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds });
  return { reply: showMember(deps.config, removed), ...changed };
};
