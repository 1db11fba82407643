import { WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Handler } from "../deps.ts";
import { findMemberById, showMember } from "../rows/members.ts";
import {
  addTeam,
  checkTeam,
  dropTeam,
  renameTeam,
  setMemberTeam,
  teamCountLimit,
  teamLimit,
} from "../teams/change-teams.ts";
import { findTeamById, showTeam, type TeamRow } from "../rows/teams.ts";
import { reachOrganization } from "./reach.ts";

/** Creates a team in any organization. Throws `ORGANIZATION_NOT_FOUND` and `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`. */
export const adminCreateTeam: Handler<"adminCreateTeam"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminCreateTeam" });
  const limit = await teamCountLimit(deps, { organizationId, session: null, caller });
  const now = new Date(deps.clock());
  const id = await deps.newId("team");
  const team: TeamRow = { id, name: body.name, organizationId, createdAt: now, updatedAt: now };
  await change(async (trx, organization) => {
    if (!organization) throw new WireError("ORGANIZATION_NOT_FOUND");
    await addTeam(deps, trx, { team, limit, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(team) };
};

/** Renames a team of any organization. Throws `TEAM_NOT_FOUND`, also for a team of another organization. */
export const adminUpdateTeam: Handler<"adminUpdateTeam"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminUpdateTeam" });
  const team = await change(async (trx) => {
    const place = { organizationId, id: body.teamId };
    return renameTeam(deps, trx, { place, name: body.name, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(team) };
};

/** Removes a team of any organization, also one with members. Throws `TEAM_NOT_FOUND` and `UNABLE_TO_REMOVE_LAST_TEAM`. */
export const adminRemoveTeam: Handler<"adminRemoveTeam"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const change = await reachOrganization(deps, call, { operation: "adminRemoveTeam" });
  const team = await change(async (trx) => {
    const place = { organizationId, id: body.teamId };
    return dropTeam(deps, trx, { place, actor: sessionActor(session), caller });
  });
  return { reply: showTeam(team) };
};

/**
 * Puts a member into a team. A member is in at most one team, so they leave their present one. Throws `TEAM_NOT_FOUND`, `MEMBER_NOT_FOUND`
 * and `TEAM_MEMBER_LIMIT_REACHED`.
 */
export const adminAddTeamMember: Handler<"adminAddTeamMember"> = async (deps, call) => {
  const { params, body, caller, session } = call;
  const { id: organizationId } = params;
  const { memberId, teamId } = body;
  const change = await reachOrganization(deps, call, {
    operation: "adminAddTeamMember",
    memberId,
  });
  const limit = await teamLimit(deps, { teamId, organizationId, session: null });
  const changed = await change(async (trx) => {
    const member = await findMemberById(trx, { organizationId, id: memberId });
    if (!member) throw new WireError("MEMBER_NOT_FOUND");
    if (member.teamId !== teamId) await checkTeam(trx, { id: teamId, organizationId, limit });
    return setMemberTeam(deps, trx, { member, teamId, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
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
  const changed = await change(async (trx) => {
    if (!(await findTeamById(trx, { organizationId, id: teamId })))
      throw new WireError("TEAM_NOT_FOUND");
    const member = await findMemberById(trx, { organizationId, id: memberId });
    if (member?.teamId !== teamId) throw new WireError("MEMBER_NOT_FOUND");
    return setMemberTeam(deps, trx, { member, teamId: null, actor: sessionActor(session), caller });
  });
  return { reply: showMember(deps.config, changed) };
};
