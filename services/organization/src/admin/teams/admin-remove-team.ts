import { type OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { dropTeam } from "../../teams/change-teams.ts";
import { showTeam } from "../../teams/show-team.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "../check-organization-reach.ts";

const { permission } = operations.organization.adminRemoveTeam;
type AdminRemoveTeam = typeof operations.organization.adminRemoveTeam;

/** Removes a team of any organization, also one with members. Throws `TEAM_NOT_FOUND` and `UNABLE_TO_REMOVE_LAST_TEAM`. */
export const adminRemoveTeam = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminRemoveTeam>,
): Promise<Answer<OperationReply<AdminRemoveTeam>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const recheck = await checkOrganizationReach(deps, call, { permission, organizationId });
  const team = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    const place = { organizationId, id: body.teamId };
    return dropTeam(deps, trx, { place, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(team) };
};
