import type { Team } from "@latchkey/contracts";
import { namesOf, picker, qualified, type RowOf } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import { type Tables, teamColumns } from "../db/tables.ts";

export type TeamRow = RowOf<typeof teamColumns>;

const selection = namesOf(teamColumns);

export const insertTeam = async (db: Kysely<Tables>, team: TeamRow): Promise<void> => {
  await db.insertInto("team").values(team).execute();
};

/** Returns a team of an organization by its id, or undefined for one of another organization. */
export const findTeamById = (
  db: Kysely<Tables>,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<TeamRow | undefined> =>
  db
    .selectFrom("team")
    .select(selection)
    .where("organizationId", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();

/** Returns a team of one of a user's organizations, or undefined for one of another organization. */
export const findTeamOfMember = (
  db: Kysely<Tables>,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<TeamRow | undefined> =>
  db
    .selectFrom("team")
    .innerJoin("member", "member.organizationId", "team.organizationId")
    .select(qualified("team", selection))
    .where("team.id", "=", teamId)
    .where("member.userId", "=", userId)
    .executeTakeFirst();

/** Counts the teams of an organization. */
export const countTeams = async (db: Kysely<Tables>, organizationId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("team")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("organizationId", "=", organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/**
 * Returns the oldest teams of an organization, oldest first, and when it requires a second factor. Returns undefined if the user is not a
 * member.
 */
export const listTeamsFor = async (
  db: Kysely<Tables>,
  { organizationId, userId, limit }: { organizationId: string; userId: string; limit: number },
): Promise<{ teams: TeamRow[]; secondFactorFrom: Date | null } | undefined> => {
  const rows = await db
    .selectFrom("member")
    .innerJoin("organization", "organization.id", "member.organizationId")
    .leftJoin("team", "team.organizationId", "member.organizationId")
    .select(qualified("team", selection))
    .select("organization.secondFactorFrom")
    .where("member.organizationId", "=", organizationId)
    .where("member.userId", "=", userId)
    .orderBy("team.createdAt")
    .orderBy("team.id")
    .limit(limit)
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  // An organization without teams gives one row of nulls.
  const teams = rows.filter((row): row is typeof first & TeamRow => row.id !== null);
  return { teams, secondFactorFrom: first.secondFactorFrom };
};

export const updateTeamName = async (
  db: Kysely<Tables>,
  { id, name, updatedAt }: { id: string; name: string; updatedAt: Date },
): Promise<void> => {
  await db.updateTable("team").set({ name, updatedAt }).where("id", "=", id).execute();
};

/** Deletes a team. Foreign keys remove its members from it and clear the team of invitations. */
export const deleteTeam = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await db.deleteFrom("team").where("id", "=", id).execute();
};

/** Returns a team for replies. */
export const showTeam: (row: TeamRow) => Team = picker<Team>(namesOf(teamColumns));
