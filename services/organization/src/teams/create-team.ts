import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import type { MemberRow } from "../members/queries.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { requestOrigin } from "../users/request-origin.ts";
import { countTeams, insertTeam, type TeamRow } from "./queries.ts";
import { showTeam } from "./show-team.ts";

type CreateTeam = typeof operations.organization.createTeam;
type Needs = Pick<Deps, "clock" | "config" | "db" | "newId">;

const checkCaller = ({ config }: Needs, member: MemberRow | undefined): void => {
  if (!member) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
  if (!allows(config.organization, member.role, ["team", "create"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION");
};

/** Returns the most teams of an organization. 0 means no limit. */
const readLimit = async (
  { config }: Needs,
  { session: { session }, caller }: Call<CreateTeam>,
  organizationId: string,
): Promise<number | undefined> => {
  const { maximumTeams } = config.organization.teams;
  return typeof maximumTeams === "function"
    ? maximumTeams({ organizationId, session }, requestOrigin(caller))
    : maximumTeams;
};

const write = (
  deps: Needs,
  { session, caller }: Call<CreateTeam>,
  { team, limit }: { team: TeamRow; limit: number | undefined },
): Promise<void> =>
  deps.db.transaction().execute(async (trx) => {
    const { id, name, organizationId } = team;
    await lockOrganization(trx, organizationId);
    const which = { id: organizationId };
    checkCaller(deps, await findOwnMembership({ ...deps, db: trx }, { caller, session }, which));
    if (limit && (await countTeams(trx, organizationId)) >= limit)
      throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS");
    await insertTeam(trx, team);
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: organizationId },
      action: "team.created",
      caller,
      after: { id, name },
    });
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
  const limit = await readLimit(deps, call, organizationId);
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
