import { type Caller, type Session, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import type { Transaction } from "kysely";
import { requestOrigin } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { countTeamMembers, type MemberRow, updateMemberTeam } from "../rows/members.ts";
import {
  countTeams,
  deleteTeam,
  findTeamById,
  insertTeam,
  type TeamRow,
  updateTeamName,
} from "../rows/teams.ts";

/**
 * Returns the most teams of an organization. 0 and undefined mean no limit. Calls a function of the options, so it must not run within a
 * transaction.
 */
export const teamCountLimit = async (
  { config }: Pick<Deps, "config">,
  { caller, ...about }: { organizationId: string; session: Session | null; caller: Caller },
): Promise<number | undefined> => {
  const { maximumTeams } = config.organization.teams;
  return typeof maximumTeams === "function"
    ? maximumTeams(about, requestOrigin(caller))
    : maximumTeams;
};

/**
 * Returns the most members of a team, or undefined for no limit. Calls a function of the options, so it must not run within a transaction.
 */
export const teamLimit = async (
  { config }: Pick<Deps, "config">,
  about: { teamId: string; organizationId: string; session: Session | null },
): Promise<number | undefined> => {
  const { maximumMembersPerTeam } = config.organization.teams;
  return typeof maximumMembersPerTeam === "function"
    ? maximumMembersPerTeam(about)
    : maximumMembersPerTeam;
};

// Changes of teams, each in a transaction that has locked the organization.

type By = Required<Pick<AuditEntry, "actor" | "caller">>;
type Place = Pick<TeamRow, "id" | "organizationId">;

/** Returns a team of an organization. Throws `TEAM_NOT_FOUND`. */
const requireTeam = async (trx: Transaction<Tables>, place: Place): Promise<TeamRow> => {
  const team = await findTeamById(trx, place);
  if (!team) throw new WireError("TEAM_NOT_FOUND");
  return team;
};

const subjectOf = ({ organizationId: id }: Place) => ({ kind: "organization", id });

/** Writes a new team. Throws `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS`. A limit of 0 means none. */
export const addTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { team, limit, ...by }: { team: TeamRow; limit: number | undefined } & By,
): Promise<void> => {
  const { id, name, organizationId } = team;
  if (limit && (await countTeams(trx, organizationId)) >= limit)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS");
  await insertTeam(trx, team);
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(team),
    action: "team.created",
    after: { id, name },
  });
};

/** Renames a team and returns it. Without a name it changes nothing. Throws `TEAM_NOT_FOUND`. */
export const renameTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { place, name, ...by }: { place: Place; name: string | undefined } & By,
): Promise<TeamRow> => {
  const team = await requireTeam(trx, place);
  if (name === undefined) return team;
  const { id } = place;
  const change = { name, updatedAt: new Date(deps.clock()) };
  await updateTeamName(trx, { id, ...change });
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(place),
    action: "team.updated",
    before: { id, name: team.name },
    after: { id, name },
  });
  return { ...team, ...change };
};

/** Deletes a team and returns it. Throws `TEAM_NOT_FOUND`, and `UNABLE_TO_REMOVE_LAST_TEAM` unless the options allow it. */
export const dropTeam = async (
  deps: Pick<Deps, "clock" | "config">,
  trx: Transaction<Tables>,
  { place, ...by }: { place: Place } & By,
): Promise<TeamRow> => {
  const team = await requireTeam(trx, place);
  const { allowRemovingAllTeams } = deps.config.organization.teams;
  if (!allowRemovingAllTeams && (await countTeams(trx, place.organizationId)) <= 1)
    throw new WireError("UNABLE_TO_REMOVE_LAST_TEAM");
  await deleteTeam(trx, place.id);
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(place),
    action: "team.removed",
    before: { id: place.id, name: team.name },
  });
  return team;
};

/**
 * Checks that a team can take another member, in a transaction that has locked the organization. Throws `TEAM_NOT_FOUND`, and
 * `TEAM_MEMBER_LIMIT_REACHED` if it has `limit` members.
 */
export const checkTeam = async (
  trx: Transaction<Tables>,
  { id, organizationId, limit }: { id: string; organizationId: string; limit: number | undefined },
): Promise<void> => {
  if (!(await findTeamById(trx, { organizationId, id }))) throw new WireError("TEAM_NOT_FOUND");
  if (limit !== undefined && (await countTeamMembers(trx, id)) >= limit)
    throw new WireError("TEAM_MEMBER_LIMIT_REACHED");
};

/**
 * Moves a member to a team, or out of their team, in a transaction that has locked the organization. Changes nothing for a member of that
 * team. Throws `MEMBER_NOT_FOUND`.
 */
export const setMemberTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  {
    member,
    teamId,
    ...by
  }: { member: MemberRow; teamId: string | null } & Required<Pick<AuditEntry, "actor" | "caller">>,
): Promise<MemberRow> => {
  const { id, organizationId, userId, teamId: former } = member;
  if (former === teamId) return member;
  const changed = await updateMemberTeam(trx, { organizationId, id, teamId });
  if (!changed) throw new WireError("MEMBER_NOT_FOUND");
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "organization", id: organizationId },
    action: "member.team-changed",
    before: { id, userId, teamId: former },
    after: { id, userId, teamId },
  });
  return changed;
};
