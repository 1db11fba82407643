import { WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Handler } from "../deps.ts";
import { findMemberById, type MemberRow, showMember } from "../rows/members.ts";
import { forgetOrganization } from "../sessions/active-organization.ts";
import {
  addTeam,
  changeTeam,
  dropTeam,
  joinTeam,
  leaveTeam,
  readTeamChange,
  readTeamLimits,
  teamCountLimit,
} from "../teams/change-teams.ts";
import { showTeam, type TeamRow } from "../rows/teams.ts";
import { reachOrganization } from "./reach.ts";

const requireMember = async (
  trx: Transaction<Tables>,
  which: { organizationId: string; id: string },
): Promise<MemberRow> => {
  const member = await findMemberById(trx, which);
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  return member;
};

/** Creates a team in any organization. Throws `ORGANIZATION_NOT_FOUND` and `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`. */
export const adminCreateTeam: Handler<"adminCreateTeam"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminCreateTeam" });
  const limit = await teamCountLimit(deps, { organizationId, session: null, caller });
  const now = new Date(deps.clock());
  const id = await deps.newId("team");
  const extra = await deps.fields.team.read({ values: body, mode: "create", isTrusted: true });
  const times = { createdAt: now, updatedAt: now };
  const team: TeamRow = { id, name: body.name, organizationId, ...times, extra };
  await change(async (trx, organization) => {
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    await addTeam(deps, trx, { team, limit, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(deps, team) };
};

/** Changes the name and the additional fields of a team of any organization. Throws `TEAM_NOT_FOUND`, also for a team of another organization. */
export const adminUpdateTeam: Handler<"adminUpdateTeam"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminUpdateTeam" });
  const { teamId, name, data: values = {} } = body;
  const teamChange = await readTeamChange(deps, name, { values, isTrusted: true });
  const team = await change(async (trx) => {
    const place = { organizationId, id: teamId };
    const by = { actor: sessionActor(session), caller };
    return changeTeam(deps, trx, { place, change: teamChange, ...by });
  });
  return { reply: showTeam(deps, team) };
};

/** Removes a team of any organization, also one with members. Throws `TEAM_NOT_FOUND` and `UNABLE_TO_REMOVE_LAST_TEAM`. */
export const adminRemoveTeam: Handler<"adminRemoveTeam"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminRemoveTeam" });
  const { teamId } = body;
  const { team, userIds } = await change(async (trx) => {
    const place = { organizationId, id: teamId };
    return dropTeam(deps, trx, { place, actor: sessionActor(session), caller });
  });
  deps.wakeRelay();
  const changed = await forgetOrganization(deps, caller, { organizationId, teamId, userIds });
  return { reply: showTeam(deps, team), ...changed };
};

/** Adds a member to a team. One who is in it already stays. Throws `TEAM_NOT_FOUND`, `MEMBER_NOT_FOUND` and `TEAM_MEMBER_LIMIT_REACHED`. */
export const adminAddTeamMember: Handler<"adminAddTeamMember"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { memberId, teamId } = body;
  const change = await reachOrganization(deps, call, {
    operation: "adminAddTeamMember",
    memberId,
  });
  const limits = await readTeamLimits(deps, [teamId], { organizationId, session: null });
  const id = await deps.newId("teamMember");
  const changed = await change(async (trx) => {
    const member = await requireMember(trx, { organizationId, id: memberId });
    const by = { actor: sessionActor(session), caller };
    await joinTeam(deps, trx, { id, member, teamId, limits, ...by });
    return requireMember(trx, { organizationId, id: memberId });
  });
  return { reply: showMember(deps, changed) };
};

/** Takes a member out of a team. Throws `TEAM_NOT_FOUND`, and `MEMBER_NOT_FOUND` if the member is not in the team. */
export const adminRemoveTeamMember: Handler<"adminRemoveTeamMember"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { memberId, teamId } = body;
  const change = await reachOrganization(deps, call, {
    operation: "adminRemoveTeamMember",
    memberId,
  });
  const removed = await change(async (trx) => {
    const member = await requireMember(trx, { organizationId, id: memberId });
    const by = { actor: sessionActor(session), caller };
    if (!(await leaveTeam(deps, trx, { member, teamId, ...by })))
      throw new WireError("MEMBER_NOT_FOUND");
    return requireMember(trx, { organizationId, id: memberId });
  });
  deps.wakeRelay();
  const userIds = [removed.userId];
  const changed = await forgetOrganization(deps, caller, { organizationId, teamId, userIds });
  return { reply: showMember(deps, removed), ...changed };
};
