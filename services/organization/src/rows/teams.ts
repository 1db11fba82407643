import type { Team } from "@latchkey/contracts";
import {
  namesOf,
  picker,
  qualified,
  type RowOf,
  withoutColumns,
} from "@latchkey/service-kit/database";
import { mergeFields } from "@latchkey/service-kit/fields";
import type { Kysely } from "kysely";
import { type Tables, teamColumns } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { removeTeamFromInvitations } from "./invitations.ts";

export type TeamRow = RowOf<typeof teamColumns>;

const selection = namesOf(teamColumns);

export const insertTeam = async (db: Kysely<Tables>, team: TeamRow): Promise<void> => {
  const row = { ...team, extra: JSON.stringify(team.extra) };
  await db.insertInto("team").values(row).execute();
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

/** The members of a team that a change sets. Of `extra`, only the named fields change. */
export type TeamChange = Partial<Pick<TeamRow, "extra" | "name">>;

export const updateTeamRow = (
  db: Kysely<Tables>,
  { id, updatedAt, name, extra }: TeamChange & { id: string; updatedAt: Date },
): Promise<TeamRow> =>
  db
    .updateTable("team")
    .set({
      updatedAt,
      ...(name === undefined ? {} : { name }),
      ...(extra && { extra: mergeFields(extra) }),
    })
    .where("id", "=", id)
    .returning(selection)
    .executeTakeFirstOrThrow();

/** Deletes a team. Foreign keys remove its members from it and clear the first team of invitations. */
export const deleteTeam = async (
  db: Kysely<Tables>,
  team: { id: string; organizationId: string },
): Promise<void> => {
  await db.deleteFrom("team").where("id", "=", team.id).execute();
  await removeTeamFromInvitations(db, team);
};

const pick = picker<Team>(namesOf(withoutColumns(teamColumns, "extra")));

/** Returns a team for replies. */
export const showTeam = ({ fields }: Pick<Deps, "fields">, row: TeamRow): Team =>
  fields.team.addTo(pick(row), row.extra);
