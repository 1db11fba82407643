import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { findMemberById } from "../../members/queries.ts";
import { showMember } from "../../members/show-member.ts";
import { checkTeam } from "../../teams/check-team.ts";
import { setMemberTeam } from "../../teams/set-member-team.ts";
import { teamLimit } from "../../teams/team-limit.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "../check-organization-reach.ts";

const { permission } = operations.organization.adminAddTeamMember;
type AdminAddTeamMember = typeof operations.organization.adminAddTeamMember;

/**
 * Puts a member into a team. A member is in at most one team, so they leave their present one. Throws `TEAM_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * and `TEAM_MEMBER_LIMIT_REACHED`.
 */
export const adminAddTeamMember = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminAddTeamMember>,
): Promise<Answer<OperationReply<AdminAddTeamMember>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { memberId, teamId } = body;
  const act = { permission, organizationId, memberId };
  const recheck = await checkOrganizationReach(deps, call, act);
  const limit = await teamLimit(deps, { teamId, organizationId, session: null });
  const changed = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    if (member.teamId !== teamId) await checkTeam(trx, { id: teamId, organizationId, limit });
    return setMemberTeam(deps, trx, { member, teamId, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
};
