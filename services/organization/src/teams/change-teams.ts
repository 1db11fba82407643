import { type AdditionalValues, type Caller, type Session, WireError } from "@latchkey/contracts";
import { appendAudit, type AuditEntry } from "@latchkey/service-kit/audit";
import { appendEvents } from "@latchkey/service-kit/events";
import { auditedFields } from "@latchkey/service-kit/fields";
import type { Transaction } from "kysely";
import { requestOrigin } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { MemberRow } from "../rows/members.ts";
import {
  countTeamPlaces,
  deleteTeamMember,
  findTeamMember,
  insertTeamMember,
  listTeamUserIds,
  type TeamMemberRow,
} from "../rows/team-members.ts";
import {
  countTeams,
  deleteTeam,
  findTeamById,
  insertTeam,
  type TeamChange,
  type TeamRow,
  updateTeamRow,
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

/** The most members of each of some teams. A team without a limit is not among them. */
export type TeamLimits = ReadonlyMap<string, number>;

/** Reads the limits of some teams. Calls a function of the options, so it must not run within a transaction. */
export const readTeamLimits = async (
  { config }: Pick<Deps, "config">,
  teamIds: readonly string[],
  about: { organizationId: string; session: Session | null },
): Promise<TeamLimits> => {
  const { maximumMembersPerTeam: limit } = config.organization.teams;
  const limits = new Map<string, number>();
  if (limit === undefined) return limits;
  for (const teamId of teamIds)
    limits.set(teamId, typeof limit === "function" ? await limit({ teamId, ...about }) : limit);
  return limits;
};

// Changes of teams, each in a transaction that has locked the organization.

type By = Required<Pick<AuditEntry, "actor" | "caller">>;
type Place = Pick<TeamRow, "id" | "organizationId">;
type ChangeTeamNeeds = Pick<Deps, "clock" | "newEventId" | "ring">;

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

/** Converts a change of a team to the form of a row. Throws the errors of additional fields. */
export const readTeamChange = async (
  { fields }: Pick<Deps, "fields">,
  name: string | undefined,
  input: { values: AdditionalValues; isTrusted: boolean },
): Promise<TeamChange> => {
  const extra = await fields.team.read({ ...input, mode: "update" });
  return {
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
};

/** Changes a team and returns it. Throws `TEAM_NOT_FOUND`. */
export const changeTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { place, change, ...by }: { place: Place; change: TeamChange } & By,
): Promise<TeamRow> => {
  const team = await requireTeam(trx, place);
  if (Object.keys(change).length === 0) return team;
  const { id } = place;
  const { name, extra } = change;
  const changed = await updateTeamRow(trx, { id, updatedAt: new Date(deps.clock()), ...change });
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(place),
    action: "team.updated",
    before: { id, ...(name === undefined ? {} : { name: team.name }) },
    after: { id, ...(name === undefined ? {} : { name }), ...auditedFields(extra) },
  });
  return changed;
};

/** The most users that one event carries. */
const toldAtOnce = 1_000;

/** Publishes that users are no longer in a team, so that their sessions do not work in it. */
const publishLeft = async (
  deps: ChangeTeamNeeds,
  trx: Transaction<Tables>,
  { id: teamId, organizationId, userIds }: Place & { userIds: readonly string[] },
): Promise<void> => {
  const parts = Array.from({ length: Math.ceil(userIds.length / toldAtOnce) }, (_, part) =>
    userIds.slice(part * toldAtOnce, (part + 1) * toldAtOnce),
  );
  if (parts.length === 0) return;
  const data = parts.map((some) => ({ organizationId, teamId, userIds: [...some] }));
  await appendEvents(trx, deps, { name: "team-members.removed", data });
};

/**
 * Deletes a team and returns it with its former users. Throws `TEAM_NOT_FOUND`, and `UNABLE_TO_REMOVE_LAST_TEAM` unless the options allow
 * it.
 */
export const dropTeam = async (
  deps: ChangeTeamNeeds & Pick<Deps, "config">,
  trx: Transaction<Tables>,
  { place, ...by }: { place: Place } & By,
): Promise<{ team: TeamRow; userIds: string[] }> => {
  const team = await requireTeam(trx, place);
  const { allowRemovingAllTeams } = deps.config.organization.teams;
  if (!allowRemovingAllTeams && (await countTeams(trx, place.organizationId)) <= 1)
    throw new WireError("UNABLE_TO_REMOVE_LAST_TEAM");
  const userIds = await listTeamUserIds(trx, place.id);
  await deleteTeam(trx, place);
  await publishLeft(deps, trx, { ...place, userIds });
  await appendAudit(trx, deps, {
    ...by,
    subject: subjectOf(place),
    action: "team.removed",
    before: { id: place.id, name: team.name },
  });
  return { team, userIds };
};

/**
 * Checks that each of some teams can take another member, in a transaction that has locked the organization. Throws `TEAM_NOT_FOUND`, and
 * `TEAM_MEMBER_LIMIT_REACHED` if one has as many members as its limit says.
 */
export const checkTeams = async (
  trx: Transaction<Tables>,
  {
    organizationId,
    teamIds,
    limits,
  }: { organizationId: string; teamIds: readonly string[]; limits: TeamLimits },
): Promise<void> => {
  if (teamIds.length === 0) return;
  const teams = await countTeamPlaces(trx, { organizationId, teamIds });
  if (!teams.every(({ isThere }) => isThere)) throw new WireError("TEAM_NOT_FOUND");
  const isFull = teams.some(({ id, memberCount }) => memberCount >= (limits.get(id) ?? Infinity));
  if (isFull) throw new WireError("TEAM_MEMBER_LIMIT_REACHED");
};

interface Joining {
  id: string;
  member: MemberRow;
  teamId: string;
  limits: TeamLimits;
}

/**
 * Adds a member to a team, in a transaction that has locked the organization. A member who is in it stays, also in a full team. Throws
 * `TEAM_NOT_FOUND` and `TEAM_MEMBER_LIMIT_REACHED`.
 */
export const joinTeam = async (
  deps: Pick<Deps, "clock">,
  trx: Transaction<Tables>,
  { id, member, teamId, limits, ...by }: Joining & By,
): Promise<TeamMemberRow> => {
  const { id: memberId, organizationId, userId } = member;
  const present = await findTeamMember(trx, { teamId, memberId });
  if (present) return present;
  await checkTeams(trx, { organizationId, teamIds: [teamId], limits });
  const row = { id, teamId, memberId, createdAt: new Date(deps.clock()) };
  await insertTeamMember(trx, row);
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "organization", id: organizationId },
    action: "member.team-changed",
    before: { id: memberId, userId, teamId: null },
    after: { id: memberId, userId, teamId },
  });
  return row;
};

/**
 * Takes a member out of a team, in a transaction that has locked the organization. The published event makes identity remove the team from
 * the user's sessions. Returns false if the member is not in the team. Throws `TEAM_NOT_FOUND`.
 */
export const leaveTeam = async (
  deps: ChangeTeamNeeds,
  trx: Transaction<Tables>,
  {
    member,
    teamId,
    ...by
  }: { member: MemberRow; teamId: string } & Pick<AuditEntry, "actor" | "caller">,
): Promise<boolean> => {
  const { id: memberId, organizationId, userId } = member;
  const place = { organizationId, id: teamId };
  await requireTeam(trx, place);
  if (!(await deleteTeamMember(trx, { teamId, memberId }))) return false;
  await publishLeft(deps, trx, { ...place, userIds: [userId] });
  await appendAudit(trx, deps, {
    ...by,
    subject: { kind: "organization", id: organizationId },
    action: "member.team-changed",
    before: { id: memberId, userId, teamId },
    after: { id: memberId, userId, teamId: null },
  });
  return true;
};
