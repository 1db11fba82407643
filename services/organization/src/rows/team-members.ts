import type { TeamMember } from "@latchkey/contracts";
import { namesOf, qualified, type RowOf } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema, teamColumns, type Tables, teamMemberColumns } from "../db/tables.ts";
import type { TeamRow } from "./teams.ts";

export type TeamMemberRow = RowOf<typeof teamMemberColumns>;

const selection = namesOf(teamMemberColumns);
const teamMember = sql.id(schema, "team_member");

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

/** The state of a team that was named. */
interface TeamPlaces {
  id: string;
  isThere: boolean;
  memberCount: number;
}

/**
 * Counts the members of some teams with one statement. In a transaction that has locked the organization, the counts hold until it ends.
 * Teams of other organizations are not there.
 */
export const countTeamPlaces = async (
  db: Kysely<Tables>,
  { organizationId, teamIds }: { organizationId: string; teamIds: readonly string[] },
): Promise<TeamPlaces[]> => {
  const { rows } = await sql<TeamPlaces>`
    select wanted.id, team.id is not null as is_there, (
      select count(*) from ${teamMember} where team_id = team.id
    ) as member_count
    from unnest(${[...teamIds]}::text[]) with ordinality as wanted (id, place)
    left join ${sql.id(schema, "team")} as team
      on team.id = wanted.id and team.organization_id = ${organizationId}
    order by wanted.place`.execute(db);
  return rows;
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

/** Matches the members of some teams, of which an organization has at most ten thousand. */
export const isInTeams = (teamIds: readonly string[]) =>
  sql<boolean>`id = any(array(
    select member_id from ${teamMember} where team_id = any(${[...teamIds]}::text[])))`;

/**
 * Adds a member to some teams, as far as they exist in the organization and the member is not in them. Their order is that of joining.
 * Returns those that it added.
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
    select md5(team.id || ' ' || ${memberId}::text), team.id, ${memberId},
      ${createdAt}::timestamptz + wanted.place * interval '1 millisecond'
    from unnest(${[...teamIds]}::text[]) with ordinality as wanted (id, place)
    join ${sql.id(schema, "team")} as team on team.id = wanted.id
    where team.organization_id = ${organizationId}
    on conflict do nothing
    returning team_id`.execute(db);
  return rows.map(({ teamId }) => teamId);
};
