import { type operations, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import {
  type ActingMember,
  type CheckMember,
  findOwnMembership,
  lockAsMember,
} from "../access/own-membership.ts";
import { refusedUntil } from "../access/require-second-factor.ts";
import type { Deps, Handler } from "../deps.ts";
import { allows } from "../roles/role-rules.ts";
import { findMembership, type MemberRow } from "../rows/members.ts";
import { findTeamMember, listTeamMemberUsers, listTeamsOfUser } from "../rows/team-members.ts";
import { findTeamById, findTeamOfMember, showTeam } from "../rows/teams.ts";
import {
  chooseAsMember,
  chooseOrUnauthorized,
  forgetOrganization,
  organizationOf,
} from "../sessions/active-organization.ts";
import { joinTeam, leaveTeam, readTeamLimits } from "./change-teams.ts";

const notInTeam = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_TEAM");

/**
 * Makes a team of the caller the active one of their session, within its active organization. Without a team it returns the active one.
 * With null, the session has no active team. Throws `NO_ACTIVE_ORGANIZATION`, `TEAM_NOT_FOUND`, also in an organization that the caller
 * has left, and `USER_IS_NOT_A_MEMBER_OF_THE_TEAM`.
 */
export const setActiveTeam: Handler<"setActiveTeam"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { activeTeamId } = session.session;
  const teamId = body.teamId === undefined ? activeTeamId : body.teamId;
  if (!teamId && !activeTeamId) return { reply: null };
  const organizationId = organizationOf(session, undefined);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  if (!teamId)
    return { reply: null, ...(await chooseOrUnauthorized(deps, caller, { organizationId })) };
  const own = await findOwnMembership(deps, call, { id: organizationId });
  const team = own && (await findTeamById(deps.db, { organizationId, id: teamId }));
  if (!team) throw new WireError("TEAM_NOT_FOUND");
  if (!(await findTeamMember(deps.db, { teamId, memberId: own.id }))) throw notInTeam();
  const choice = { organizationId, teamId, choose: chooseOrUnauthorized };
  const { holds, changed } = await chooseAsMember(deps, call, choice);
  if (!holds) throw notInTeam();
  return { reply: showTeam(deps, team), ...changed };
};

const teamsMax = 100;

/** Checks that the caller may see the teams of another user, who is a member as well. */
const checkMaySee = async (
  deps: Deps,
  { own, userId }: { own: ActingMember; userId: string },
): Promise<void> => {
  if (userId === own.userId) return;
  if (!allows(own.rules, own.role, ["member", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER");
  if (!(await findMembership(deps.db, { organizationId: own.organizationId, userId })))
    throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
};

/**
 * Returns the first hundred teams of the caller, oldest first: in one organization, or in all whose second factor the session has passed.
 * Returns those of another user to a member who may change members. Throws `NO_ACTIVE_ORGANIZATION`,
 * `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER` and
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`.
 */
export const listUserTeams: Handler<"listUserTeams"> = async (deps, call) => {
  const { query, session } = call;
  const userId = query.userId || session.user.id;
  const isOwn = userId === session.user.id;
  const organizationId = isOwn
    ? query.organizationId || undefined
    : organizationOf(session, query.organizationId);
  if (!isOwn && !organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  if (organizationId) {
    const own = await findOwnMembership(deps, call, { id: organizationId });
    if (!own) throw new WireError("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
    await checkMaySee(deps, { own, userId });
  }
  const which = { userId, organizationId, refusedUntil: refusedUntil(deps, call), limit: teamsMax };
  return { reply: (await listTeamsOfUser(deps.db, which)).map((row) => showTeam(deps, row)) };
};

const teamMembersMax = 1_000;
const teamActions = ["create", "update", "delete"];

/**
 * Returns the first thousand members of a team, in the order of joining, to its members and to those who may change teams. Throws
 * `YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM`, `TEAM_NOT_FOUND`, also for a team of another organization, and `USER_IS_NOT_A_MEMBER_OF_THE_TEAM`.
 */
export const listTeamMembers: Handler<"listTeamMembers"> = async (deps, call) => {
  const { query, session } = call;
  const teamId = query.teamId || session.session.activeTeamId;
  if (!teamId) throw new WireError("YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM");
  const team = await findTeamOfMember(deps.db, { teamId, userId: session.user.id });
  const own = team && (await findOwnMembership(deps, call, { id: team.organizationId }));
  if (!own) throw new WireError("TEAM_NOT_FOUND");
  const isAllowed =
    teamActions.some((action) => allows(own.rules, own.role, ["team", action])) ||
    (await findTeamMember(deps.db, { teamId, memberId: own.id })) !== undefined;
  if (!isAllowed) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_TEAM", { status: 400 });
  return { reply: await listTeamMemberUsers(deps.db, { teamId, limit: teamMembersMax }) };
};

/** A change of who is in a team, and the error for a member who may not make it. */
type TeamMemberChange = Pick<
  Call<typeof operations.organization.addTeamMember>,
  "body" | "caller" | "session"
>;

const checkMayChange =
  (
    refusal:
      | "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER"
      | "YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER",
  ): CheckMember =>
  (member) => {
    if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
    if (!allows(member.rules, member.role, ["team", "update"])) throw new WireError(refusal);
    return member;
  };

const requireOrganization = ({ body, session }: TeamMemberChange): string => {
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  return organizationId;
};

const requireMember = (member: MemberRow | undefined): MemberRow => {
  if (!member) throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  return member;
};

/**
 * Adds a member of the organization to a team. One who is in it already stays. Throws `NO_ACTIVE_ORGANIZATION`,
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` for the caller and for the user, `YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER`,
 * `TEAM_NOT_FOUND` and `TEAM_MEMBER_LIMIT_REACHED`.
 */
export const addTeamMember: Handler<"addTeamMember"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { teamId, userId } = body;
  const organizationId = requireOrganization(call);
  const check = checkMayChange("YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER");
  check(await findOwnMembership(deps, call, { id: organizationId }));
  const limits = await readTeamLimits(deps, [teamId], { organizationId, session: session.session });
  const id = await deps.newId("teamMember");
  const { createdAt, ...row } = await deps.db.transaction().execute(async (trx) => {
    await lockAsMember(deps, trx, { caller, session, organizationId, check });
    const member = requireMember(await findMembership(trx, { organizationId, userId }));
    const by = { actor: sessionActor(session), caller };
    return joinTeam(deps, trx, { id, member, teamId, limits, ...by });
  });
  return { reply: { id: row.id, teamId, userId, createdAt } };
};

/**
 * Takes a member out of a team. Their sessions no longer have it as active. Throws `NO_ACTIVE_ORGANIZATION`,
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION` for the caller and for the user, `YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER`,
 * `TEAM_NOT_FOUND` and `USER_IS_NOT_A_MEMBER_OF_THE_TEAM`.
 */
export const removeTeamMember: Handler<"removeTeamMember"> = async (deps, call) => {
  const { body, caller, session } = call;
  const { teamId, userId } = body;
  const organizationId = requireOrganization(call);
  const check = checkMayChange("YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER");
  await deps.db.transaction().execute(async (trx) => {
    await lockAsMember(deps, trx, { caller, session, organizationId, check });
    const member = requireMember(await findMembership(trx, { organizationId, userId }));
    const by = { actor: sessionActor(session), caller };
    if (!(await leaveTeam(deps, trx, { member, teamId, ...by })))
      throw new WireError("USER_IS_NOT_A_MEMBER_OF_THE_TEAM", { status: 400 });
  });
  deps.wakeRelay();
  const changed = await forgetOrganization(deps, caller, {
    organizationId,
    teamId,
    userIds: [userId],
  });
  return { reply: { message: "Team member removed successfully." }, ...changed };
};
