import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import type { MemberRow } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { addTeam } from "./change-teams.ts";
import type { TeamRow } from "./queries.ts";
import { showTeam } from "./show-team.ts";
import { teamCountLimit } from "./team-limit.ts";

type CreateTeam = typeof operations.organization.createTeam;
type Needs = Pick<Deps, "clock" | "config" | "db" | "newId">;

const checkCaller = ({ config }: Needs, member: MemberRow | undefined): void => {
  if (!member) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
  if (!allows(config.organization, member.role, ["team", "create"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION");
};

const write = (
  deps: Needs,
  { session, caller }: Call<CreateTeam>,
  { team, limit }: { team: TeamRow; limit: number | undefined },
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const { organizationId } = team;
    await lockOrganization(trx, organizationId);
    const which = { id: organizationId };
    checkCaller(deps, await findOwnMembership({ ...deps, db: trx }, { caller, session }, which));
    await addTeam(deps, trx, { team, limit, actor: sessionActor(session), caller });
  });

/**
 * Creates a team. Throws `NO_ACTIVE_ORGANIZATION`, and `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION` if the caller is not a
 * member. Throws `YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION` and `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`.
 */
export const createTeam = async (
  deps: Needs,
  call: Call<CreateTeam>,
): Promise<Answer<OperationReply<CreateTeam>>> => {
  const { body, session } = call;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  checkCaller(deps, await findOwnMembership(deps, call, { id: organizationId }));
  const limit = await teamCountLimit(deps, {
    organizationId,
    session: session.session,
    caller: call.caller,
  });
  const now = new Date(deps.clock());
  const team: TeamRow = {
    id: await deps.newId("team"),
    name: body.name,
    organizationId,
    createdAt: now,
    updatedAt: now,
  };
  await write(deps, call, { team, limit });
  return { reply: showTeam(team) };
};
