import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import type { MemberRow } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { renameTeam } from "./change-teams.ts";
import { showTeam } from "./show-team.ts";

type UpdateTeam = typeof operations.organization.updateTeam;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const checkCaller = ({ config }: Needs, member: MemberRow | undefined): void => {
  if (!member || !allows(config.organization, member.role, ["team", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM");
};

/**
 * Renames a team. A request without changes changes nothing. Throws `NO_ACTIVE_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM` and
 * `TEAM_NOT_FOUND`.
 */
export const updateTeam = async (
  deps: Needs,
  { body, session, caller }: Call<UpdateTeam>,
): Promise<Answer<OperationReply<UpdateTeam>>> => {
  const { teamId: id, data } = body;
  const organizationId = organizationOf(session, data.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const acting = { caller, session };
  const which = { id: organizationId };
  checkCaller(deps, await findOwnMembership(deps, acting, which));
  const team = await deps.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    checkCaller(deps, await findOwnMembership({ ...deps, db: trx }, acting, which));
    return renameTeam(deps, trx, {
      place: { organizationId, id },
      name: data.name,
      actor: sessionActor(session),
      caller,
    });
  });
  return { reply: showTeam(team) };
};
