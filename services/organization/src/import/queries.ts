import { columnTypes } from "@latchkey/service-kit/database";
import type { ImportTarget } from "@latchkey/service-kit/import";
import { type Kysely, sql, type Transaction } from "kysely";
import {
  invitationColumns,
  memberColumns,
  organizationColumns,
  schema,
  type Tables,
  teamColumns,
} from "../db/tables.ts";
import { importedColumns } from "./read-values.ts";

const isThere = (table: string, column: string) =>
  sql<boolean>`exists (select from ${sql.id(schema, table)} as one where one.id = given.${sql.ref(column)})`;
const isGone = sql<boolean>`exists (select from ${sql.id(schema, "departed_user")} as one where one.user_id = given.user_id)`;

export const importedOrganizations: ImportTarget = {
  schema,
  table: "organization",
  columns: { ...importedColumns.organization, extra: organizationColumns.extra },
};

export const importedTeams: ImportTarget = {
  schema,
  table: "team",
  columns: { ...importedColumns.team, extra: teamColumns.extra },
  guard: isThere("organization", "organizationId"),
};

export const importedRoles: ImportTarget = {
  schema,
  table: "organization_role",
  columns: importedColumns.organizationRole,
  guard: isThere("organization", "organizationId"),
};

export const importedMembers: ImportTarget = {
  schema,
  table: "member",
  columns: { ...importedColumns.member, extra: memberColumns.extra },
  guard: sql<boolean>`${isThere("organization", "organizationId")} and not ${isGone}`,
};

export const importedTeamMembers: ImportTarget = {
  schema,
  table: "team_member",
  columns: importedColumns.teamMember,
  guard: sql<boolean>`exists (
    select from ${sql.id(schema, "team")} as team
    join ${sql.id(schema, "member")} as member on member.organization_id = team.organization_id
    where team.id = given.team_id and member.id = given.member_id)`,
};

export const importedInvitations: ImportTarget = {
  schema,
  table: "invitation",
  columns: {
    ...importedColumns.invitation,
    mailedAt: columnTypes.time,
    teamId: invitationColumns.teamId,
    moreTeamIds: invitationColumns.moreTeamIds,
    extra: invitationColumns.extra,
  },
  guard: sql<boolean>`${isThere("organization", "organizationId")}
    and (given.team_id is null or ${isThere("team", "teamId")})`,
};

/** Returns the organizations that have some ids or slugs. */
export const listOrganizationClaims = (
  db: Kysely<Tables>,
  { ids, slugs }: { ids: string[]; slugs: string[] },
): Promise<{ id: string; slug: string }[]> =>
  db
    .selectFrom("organization")
    .select(["id", "slug"])
    .where((eb) =>
      eb.or([
        eb("id", "=", sql<string>`any(${ids}::text[])`),
        eb("slug", "=", sql<string>`any(${slugs}::text[])`),
      ]),
    )
    .execute();

/** Locks some organizations until the transaction ends, always in the same order. */
export const lockOrganizations = async (
  trx: Transaction<Tables>,
  ids: readonly string[],
): Promise<void> => {
  await trx
    .selectFrom("organization")
    .select("id")
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
};

/** Counts the roles that each of some organizations made itself. */
export const countRolesOf = async (
  db: Kysely<Tables>,
  organizationIds: readonly string[],
): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom("organizationRole")
    .select((eb) => ["organizationId", eb.fn.countAll<string>().as("count")])
    .where(sql<boolean>`organization_id = any(${[...organizationIds]}::text[])`)
    .groupBy("organizationId")
    .execute();
  return new Map(rows.map(({ organizationId, count }) => [organizationId, Number(count)]));
};

/** Returns the members of teams by the ids of their places there. */
export const listTeamMembersByIds = (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<{ id: string; teamId: string; memberId: string; organizationId: string }[]> =>
  db
    .selectFrom("teamMember")
    .innerJoin("member", "member.id", "teamMember.memberId")
    .select(["teamMember.id", "teamMember.teamId", "teamMember.memberId", "member.organizationId"])
    .where(sql<boolean>`team_member.id = any(${[...ids]}::text[])`)
    .execute();

/** Returns memberships by their ids. */
export const listMembersByIds = (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<{ id: string; organizationId: string; userId: string }[]> =>
  db
    .selectFrom("member")
    .select(["id", "organizationId", "userId"])
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
