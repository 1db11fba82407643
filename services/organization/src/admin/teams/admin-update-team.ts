import { type OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { renameTeam } from "../../teams/change-teams.ts";
import { showTeam } from "../../teams/show-team.ts";
import {
  changeWithinReach,
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "../check-organization-reach.ts";

const { permission } = operations.organization.adminUpdateTeam;
type AdminUpdateTeam = typeof operations.organization.adminUpdateTeam;

/** Renames a team of any organization. Throws `TEAM_NOT_FOUND`, also for a team of another organization. */
export const adminUpdateTeam = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock">,
  call: Call<AdminUpdateTeam>,
): Promise<Answer<OperationReply<AdminUpdateTeam>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const recheck = await checkOrganizationReach(deps, call, { permission, organizationId });
  const team = await changeWithinReach(deps, { organizationId, recheck }, async (trx) => {
    const place = { organizationId, id: body.teamId };
    return renameTeam(deps, trx, { place, name: body.name, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(team) };
};
