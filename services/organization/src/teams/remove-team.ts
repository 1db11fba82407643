import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import { lockOrganization } from "../organizations/lock-organization.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { countTeams, deleteTeam, findTeamById } from "./queries.ts";

type RemoveTeam = typeof operations.organization.removeTeam;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const remove = (
  deps: Needs,
  { session, caller }: Call<RemoveTeam>,
  team: { organizationId: string; id: string },
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const { organizationId, id } = team;
    const { organization } = deps.config;
    await lockOrganization(trx, organizationId);
    const { userId } = session.session;
    const member = await findMember({ db: trx }, { organizationId, userId });
    if (!member || member.teamId === id)
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
    if (!allows(organization, member.role, ["team", "delete"]))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION");
    const found = await findTeamById(trx, team);
    if (!found) throw new WireError("TEAM_NOT_FOUND");
    const { allowRemovingAllTeams } = organization.teams;
    if (!allowRemovingAllTeams && (await countTeams(trx, organizationId)) <= 1)
      throw new WireError("UNABLE_TO_REMOVE_LAST_TEAM");
    await deleteTeam(trx, id);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "team.removed",
      caller,
      before: { id, name: found.name },
    });
  });

/**
 * Removes a team; its members stay in the organization, and invitations to it lead there. Throws `NO_ACTIVE_ORGANIZATION`,
 * `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM` to who is not a member or is in the team,
 * `YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION`, `TEAM_NOT_FOUND` and `UNABLE_TO_REMOVE_LAST_TEAM`.
 */
export const removeTeam = async (
  deps: Needs,
  call: Call<RemoveTeam>,
): Promise<Answer<OperationReply<RemoveTeam>>> => {
  const { body, session } = call;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  await remove(deps, call, { organizationId, id: body.teamId });
  return { reply: { message: "Team removed successfully." } };
};
