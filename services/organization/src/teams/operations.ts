import { WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Handler } from "../deps.ts";
import { type CheckMember, findOwnMembership, lockAsMember } from "../access/own-membership.ts";
import { allows } from "../roles/role-rules.ts";
import { forgetOrganization, organizationOf } from "../sessions/active-organization.ts";
import { requireSecondFactor } from "../access/require-second-factor.ts";
import { addTeam, changeTeam, dropTeam, readTeamChange, teamCountLimit } from "./change-teams.ts";
import { findTeamMember } from "../rows/team-members.ts";
import { listTeamsFor, showTeam, type TeamRow } from "../rows/teams.ts";

const limit = 100;

/** Returns the teams of an organization, oldest first. Throws `NO_ACTIVE_ORGANIZATION`, and `FORBIDDEN` if the caller is not a member. */
export const listTeams: Handler<"listTeams"> = async (deps, { query, caller, session }) => {
  const organizationId = organizationOf(session, query.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const { userId } = session.session;
  const list = await listTeamsFor(deps.db, { organizationId, userId, limit });
  if (!list) throw new WireError("FORBIDDEN");
  requireSecondFactor(deps, { caller, session }, list);
  return { reply: list.teams.map((row) => showTeam(deps, row)) };
};

const checkMayCreate: CheckMember = (member) => {
  if (!member) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
  if (!allows(member.rules, member.role, ["team", "create"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION");
  return member;
};

/**
 * Creates a team. Throws `NO_ACTIVE_ORGANIZATION`, and `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION` if the caller is not a
 * member. Throws `YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION` and `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`.
 */
export const createTeam: Handler<"createTeam"> = async (deps, call) => {
  const { body, session, caller } = call;
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const check = checkMayCreate;
  check(await findOwnMembership(deps, call, { id: organizationId }));
  const limit = await teamCountLimit(deps, { organizationId, session: session.session, caller });
  const now = new Date(deps.clock());
  const id = await deps.newId("team");
  const extra = await deps.fields.team.read({ values: body, mode: "create" });
  const times = { createdAt: now, updatedAt: now };
  const team: TeamRow = { id, name: body.name, organizationId, ...times, extra };
  await deps.db.transaction().execute(async (trx) => {
    await lockAsMember(deps, trx, { caller, session, organizationId, check });
    await addTeam(deps, trx, { team, limit, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(deps, team) };
};

const checkMayUpdate: CheckMember = (member) => {
  if (!member || !allows(member.rules, member.role, ["team", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM");
  return member;
};

/**
 * Changes the name and the additional fields of a team. A request without changes changes nothing. Throws `NO_ACTIVE_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM` and
 * `TEAM_NOT_FOUND`.
 */
export const updateTeam: Handler<"updateTeam"> = async (deps, { body, session, caller }) => {
  const { teamId: id, data } = body;
  const organizationId = organizationOf(session, data.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const check = checkMayUpdate;
  const change = await readTeamChange(deps, data.name, { values: data, isTrusted: false });
  const team = await deps.db.transaction().execute(async (trx) => {
    await lockAsMember(deps, trx, { caller, session, organizationId, check });
    const by = { actor: sessionActor(session), caller };
    return changeTeam(deps, trx, { place: { organizationId, id }, change, ...by });
  });
  return { reply: showTeam(deps, team) };
};

const checkMayRemove: CheckMember = (member) => {
  if (!member) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
  if (!allows(member.rules, member.role, ["team", "delete"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION");
  return member;
};

/**
 * Removes a team. Its members stay in the organization, and its invitations become invitations to the organization. Throws
 * `NO_ACTIVE_ORGANIZATION`, and `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM` if the caller is not a member or is in the team. Throws
 * `YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION`, `TEAM_NOT_FOUND` and `UNABLE_TO_REMOVE_LAST_TEAM`.
 */
export const removeTeam: Handler<"removeTeam"> = async (deps, { body, session, caller }) => {
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("NO_ACTIVE_ORGANIZATION");
  const { teamId } = body;
  const check = checkMayRemove;
  const { userIds } = await deps.db.transaction().execute(async (trx) => {
    const own = await lockAsMember(deps, trx, { caller, session, organizationId, check });
    if (await findTeamMember(trx, { teamId, memberId: own.id }))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
    const place = { organizationId, id: teamId };
    return dropTeam(deps, trx, { place, actor: sessionActor(session), caller });
  });
  deps.wakeRelay();
  const changed = await forgetOrganization(deps, caller, { organizationId, teamId, userIds });
  return { reply: { message: "Team removed successfully." }, ...changed };
};
