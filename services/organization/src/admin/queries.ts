import {
  containsText,
  hasIds,
  hasTrigram,
  type List,
  selectColumns,
  startsWithText,
} from "@latchkey/service-kit";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";
import { type OrganizationRow, qualifiedOrganization } from "../organizations/queries.ts";

export type ListedOrganization = OrganizationRow & { memberCount: number };

const texts = [sql`lower(name)`, sql`lower(slug)`];

/** Returns the expression of the sort index. */
const keyOf = (column: "name" | "slug") => sql`left(lower(${sql.ref(column)}), 100) collate "C"`;

const prefixMax = 50;

/**
 * Matches organizations whose name or slug contains a term, ignoring case. The trigram index needs three consecutive letters or digits. A
 * shorter term must be a prefix, which the sort index finds.
 */
const hasTerm = (term: string): RawBuilder<SqlBool> => {
  const conditions =
    !hasTrigram(term) && term.length <= prefixMax
      ? [startsWithText(keyOf("name"), term), startsWithText(keyOf("slug"), term)]
      : texts.map((text) => containsText(text, term));
  return sql`(${sql.join(conditions, sql` or `)})`;
};

/** All organizations, oldest first by default. */
export const organizationList: List<
  ListedOrganization,
  { searchValue?: string | undefined; ids?: string | readonly string[] | undefined }
> = {
  schema,
  table: "organization",
  select: sql<ListedOrganization>`
    ${selectColumns(qualifiedOrganization)},
    (
      select count(*) from ${sql.id(schema, "member")} as member
      where member.organization_id = organization.id
    ) as member_count`,
  keys: {
    createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true },
    name: { sql: keyOf("name"), type: "text", isIndexed: true },
    slug: { sql: keyOf("slug"), type: "text", isIndexed: true },
  },
  order: { by: "createdAt", direction: "asc" },
  where: ({ searchValue, ids }) => [
    searchValue && { sql: hasTerm(searchValue), isSearch: true },
    hasIds(ids),
  ],
};

/** Counts each kind of content in an organization, capped at `countMax`. */
export const countContents = async (
  db: Kysely<Tables>,
  organizationId: string,
  countMax: number,
): Promise<{ memberCount: number; invitationCount: number; teamCount: number }> => {
  const count = (table: "invitation" | "member" | "team") => sql<number>`(
    select count(*) from (
      select from ${sql.id(schema, table)} where organization_id = ${organizationId} limit ${countMax}
    ) as counted)`;
  return db
    .selectNoFrom([
      count("member").as("memberCount"),
      count("invitation").as("invitationCount"),
      count("team").as("teamCount"),
    ])
    .executeTakeFirstOrThrow();
};

/** Counts the members of each team, capped at `countMax`. */
export const countTeams = async (
  db: Kysely<Tables>,
  ids: readonly string[],
  countMax: number,
): Promise<[id: string, count: number][]> => {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, (
      select count(*) from (
        select from ${sql.id(schema, "member")} where team_id = team.id limit ${countMax}
      ) as counted) as count
    from unnest(${[...ids]}::text[]) as team (id)`.execute(db);
  return rows.map(({ id, count }) => [id, count]);
};
