import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { findMemberById } from "../../members/queries.ts";
import { showMember } from "../../members/show-member.ts";
import { findTeamById } from "../../teams/queries.ts";
import { setMemberTeam } from "../../teams/set-member-team.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "../check-organization-reach.ts";

const { permission } = operations.organization.adminRemoveTeamMember;
type AdminRemoveTeamMember = typeof operations.organization.adminRemoveTeamMember;

/** Takes a member out of a team. Throws `TEAM_NOT_FOUND`, and `MEMBER_NOT_FOUND` if the member is not in the team. */
export const adminRemoveTeamMember = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminRemoveTeamMember>,
): Promise<Answer<OperationReply<AdminRemoveTeamMember>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { memberId, teamId } = body;
  const act = { permission, organizationId, memberId };
  const recheck = await checkOrganizationReach(deps, call, act);
  const changed = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    if (!(await findTeamById(trx, { organizationId, id: teamId })))
      throw new WireError("TEAM_NOT_FOUND");
    const member = await findMemberById(trx, { organizationId, id: memberId });
    if (member?.teamId !== teamId) throw new WireError("MEMBER_NOT_FOUND");
    return setMemberTeam(deps, trx, { member, teamId: null, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
};
