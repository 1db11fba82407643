import type { TeamMember } from "@latchkey/contracts";
import { namesOf, qualified, type RowOf } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema, teamColumns, type Tables, teamMemberColumns } from "../db/tables.ts";
import type { TeamRow } from "./teams.ts";

export type TeamMemberRow = RowOf<typeof teamMemberColumns>;

const selection = namesOf(teamMemberColumns);

/** A team and a member of its organization. */
interface Place {
  teamId: string;
  memberId: string;
}

/** Adds a member to a team. Returns undefined if they are in it already. */
export const insertTeamMember = (
  db: Kysely<Tables>,
  row: TeamMemberRow,
): Promise<TeamMemberRow | undefined> =>
  db
    .insertInto("teamMember")
    .values(row)
    .onConflict((conflict) => conflict.columns(["teamId", "memberId"]).doNothing())
    .returning(selection)
    .executeTakeFirst();

export const findTeamMember = (
  db: Kysely<Tables>,
  { teamId, memberId }: Place,
): Promise<TeamMemberRow | undefined> =>
  db
    .selectFrom("teamMember")
    .select(selection)
    .where("teamId", "=", teamId)
    .where("memberId", "=", memberId)
    .executeTakeFirst();

/** Removes a member from a team. Returns undefined if they are not in it. */
export const deleteTeamMember = (
  db: Kysely<Tables>,
  { teamId, memberId }: Place,
): Promise<TeamMemberRow | undefined> =>
  db
    .deleteFrom("teamMember")
    .where("teamId", "=", teamId)
    .where("memberId", "=", memberId)
    .returning(selection)
    .executeTakeFirst();

/** Counts the members of a team. */
export const countTeamMembers = async (db: Kysely<Tables>, teamId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("teamMember")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("teamId", "=", teamId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Returns the members of a team with their users, in the order of joining. */
export const listTeamMemberUsers = (
  db: Kysely<Tables>,
  { teamId, limit }: { teamId: string; limit: number },
): Promise<TeamMember[]> =>
  db
    .selectFrom("teamMember")
    .innerJoin("member", "member.id", "teamMember.memberId")
    .select(["teamMember.id", "teamMember.teamId", "member.userId", "teamMember.createdAt"])
    .where("teamMember.teamId", "=", teamId)
    .orderBy("teamMember.createdAt")
    .orderBy("teamMember.id")
    .limit(limit)
    .execute();

/** Returns the users in a team. */
export const listTeamUserIds = async (db: Kysely<Tables>, teamId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom("teamMember")
    .innerJoin("member", "member.id", "teamMember.memberId")
    .select("member.userId")
    .where("teamMember.teamId", "=", teamId)
    .execute();
  return rows.map(({ userId }) => userId);
};

/** Returns the teams of some members, each list in the order of joining. Members without a team are left out. */
export const listTeamIds = async (
  db: Kysely<Tables>,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (memberIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("teamMember")
    .select(["memberId", "teamId"])
    .where(sql<boolean>`member_id = any(${[...memberIds]}::text[])`)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const teamIds = new Map<string, string[]>();
  for (const { memberId, teamId } of rows)
    teamIds.set(memberId, [...(teamIds.get(memberId) ?? []), teamId]);
  return teamIds;
};

/** The teams of a user to list. */
interface TeamsOfUser {
  userId: string;
  /** Absent for all organizations of the user. */
  organizationId?: string | undefined;
  /** Organizations that have required a second factor since then are left out. */
  refusedUntil: string;
  limit: number;
}

/** Returns the oldest teams of a user, oldest first. */
export const listTeamsOfUser = (
  db: Kysely<Tables>,
  { userId, organizationId, refusedUntil, limit }: TeamsOfUser,
): Promise<TeamRow[]> =>
  db
    .selectFrom("teamMember")
    .innerJoin("member", "member.id", "teamMember.memberId")
    .innerJoin("team", "team.id", "teamMember.teamId")
    .innerJoin("organization", "organization.id", "member.organizationId")
    .select(qualified("team", namesOf(teamColumns)))
    .where("member.userId", "=", userId)
    .where(
      sql<boolean>`coalesce(organization.second_factor_from, 'infinity') > ${refusedUntil}::timestamptz`,
    )
    .$if(organizationId !== undefined, (query) =>
      query.where("member.organizationId", "=", organizationId ?? ""),
    )
    .orderBy("team.createdAt")
    .orderBy("team.id")
    .limit(limit)
    .execute();

const teamMember = sql.id(schema, "team_member");

/** Matches the members of a team, of which an organization has at most ten thousand. */
export const isInTeam = (teamId: string) =>
  sql<boolean>`id = any(array(select member_id from ${teamMember} where team_id = ${teamId}))`;

/**
 * Adds a member to some teams, as far as they exist in the organization and the member is not in them. Returns those that it added.
 */
export const joinTeams = async (
  db: Kysely<Tables>,
  {
    organizationId,
    memberId,
    teamIds,
    createdAt,
  }: { organizationId: string; memberId: string; teamIds: readonly string[]; createdAt: Date },
): Promise<string[]> => {
  if (teamIds.length === 0) return [];
  const { rows } = await sql<{ teamId: string }>`
    insert into ${teamMember} (id, team_id, member_id, created_at)
    select md5(team.id || ' ' || ${memberId}::text), team.id, ${memberId}, ${createdAt}::timestamptz
    from ${sql.id(schema, "team")} as team
    where team.organization_id = ${organizationId} and team.id = any(${[...teamIds]}::text[])
    on conflict do nothing
    returning team_id`.execute(db);
  return rows.map(({ teamId }) => teamId);
};
