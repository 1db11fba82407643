import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../../deps.ts";
import { lockOrganization } from "../../organizations/queries.ts";
import { addTeam } from "../../teams/change-teams.ts";
import type { TeamRow } from "../../teams/queries.ts";
import { showTeam } from "../../teams/show-team.ts";
import { teamCountLimit } from "../../teams/team-limit.ts";
import {
  checkOrganizationReach,
  type OrganizationReachNeeds,
} from "../check-organization-reach.ts";

const { permission } = operations.organization.adminCreateTeam;
type AdminCreateTeam = typeof operations.organization.adminCreateTeam;

/** Creates a team in any organization. Throws `ORGANIZATION_NOT_FOUND` and `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`. */
export const adminCreateTeam = async (
  deps: OrganizationReachNeeds & Pick<Deps, "clock" | "newId">,
  call: Call<AdminCreateTeam>,
): Promise<Answer<OperationReply<AdminCreateTeam>>> => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const recheck = await checkOrganizationReach(deps, call, { permission, organizationId });
  const limit = await teamCountLimit(deps, { organizationId, session: null, caller });
  const now = new Date(deps.clock());
  const id = await deps.newId("team");
  const team: TeamRow = { id, name: body.name, organizationId, createdAt: now, updatedAt: now };
  await deps.db.transaction().execute(async (trx) => {
    if (!(await lockOrganization(trx, organizationId)))
      throw new WireError("ORGANIZATION_NOT_FOUND");
    await recheck(trx);
    await addTeam(deps, trx, { team, limit, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(team) };
};
