import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { giveRole } from "../members/give-role.ts";
import { findMemberById, listOwners, type MemberRow } from "../members/queries.ts";
import { showMember } from "../members/show-member.ts";
import { isOwner, readRoles } from "../roles/role-rules.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "./check-organization-reach.ts";

const { permission } = operations.organization.adminTransferOwnership;
type AdminTransferOwnership = typeof operations.organization.adminTransferOwnership;

/**
 * Gives a member the creator role, and the present owners another role if one is named. The new owner is written first, under the lock of
 * the organization, so that it has an owner at every moment. Throws `MEMBER_NOT_FOUND`.
 */
export const adminTransferOwnership = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminTransferOwnership>,
): Promise<Answer<OperationReply<AdminTransferOwnership>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { organization } = deps.config;
  const { creatorRole } = organization;
  const previousRole =
    body.previousOwnerRole === undefined
      ? undefined
      : readRoles(organization, body.previousOwnerRole);
  const act = { permission, organizationId, memberId: body.memberId };
  const recheck = await checkOrganizationReach(deps, call, act);
  const by = { actor: sessionActor(session), caller };
  const { owner, previous } = await changeWithinReach(
    deps,
    { organizationId, recheck },
    async (trx) => {
      const member = await findMemberById(trx, { organizationId, id: body.memberId });
      if (!member) throw new WireError("MEMBER_NOT_FOUND");
      const owners = await listOwners(trx, { organizationId, creatorRole });
      const owner = isOwner(organization, member.role)
        ? member
        : await giveRole(deps, trx, { member, role: creatorRole, ...by });
      const previous: MemberRow[] = [];
      if (previousRole !== undefined)
        for (const former of owners.filter(({ id }) => id !== owner.id))
          previous.push(await giveRole(deps, trx, { member: former, role: previousRole, ...by }));
      return { owner, previous };
    },
  );
  const show = (row: MemberRow) => showMember(deps.config, row);
  return { reply: { member: show(owner), previousOwners: previous.map(show) } };
};
