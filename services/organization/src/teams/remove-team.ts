import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import type { MemberRow } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { dropTeam } from "./change-teams.ts";
import type { TeamRow } from "./queries.ts";

type RemoveTeam = typeof operations.organization.removeTeam;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const checkCaller = (
  { config }: Needs,
  member: MemberRow | undefined,
  { id }: { id: string },
): void => {
  if (!member || member.teamId === id)
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
  if (!allows(config.organization, member.role, ["team", "delete"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION");
};

const remove = (
  deps: Needs,
  { session, caller }: Call<RemoveTeam>,
  team: { organizationId: string; id: string },
): Promise<TeamRow> =>
  deps.db.transaction().execute(async (trx) => {
    const { organizationId } = team;
    await lockOrganization(trx, organizationId);
    const acting = { caller, session };
    const own = await findOwnMembership({ ...deps, db: trx }, acting, { id: organizationId });
    checkCaller(deps, own, team);
    return dropTeam(deps, trx, { place: team, actor: sessionActor(session), caller });
  });

/**
 * Removes a team. Its members stay in the organization, and its invitations become invitations to the organization. Throws
 * `NO_ACTIVE_ORGANIZATION`, and `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM` if the caller is not a member or is in the team. Throws
 * `YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION`, `TEAM_NOT_FOUND` and `UNABLE_TO_REMOVE_LAST_TEAM`.
 */
export const removeTeam = async (
  deps: Needs,
  call: Call<RemoveTeam>,
): Promise<Answer<OperationReply<RemoveTeam>>> => {
  const { body, session } = call;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const team = { organizationId, id: body.teamId };
  checkCaller(deps, await findOwnMembership(deps, call, { id: organizationId }), team);
  await remove(deps, call, team);
  return { reply: { message: "Team removed successfully." } };
};
