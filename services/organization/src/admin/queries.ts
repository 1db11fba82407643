import { qualified } from "@latchkey/service-kit/database";
import {
  askedOwner,
  containsFolded,
  containsText,
  hasIds,
  hasTrigram,
  type List,
  type ListCondition,
  looseScan,
  type OwnerQuery,
  type ScopedList,
  searchTerm,
  selectColumns,
  startsWithText,
  wordsOf,
} from "@latchkey/service-kit/lists";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import { schema, type Tables } from "../db/tables.ts";
import { type MemberRow, memberSelection } from "../rows/members.ts";
import { isInTeams } from "../rows/team-members.ts";
import { type OrganizationRow, qualifiedOrganization } from "../rows/organizations.ts";

type ListedOrganization = OrganizationRow & { memberCount: number };

/** Returns the expression of the sort index. */
const keyOf = (column: "name" | "slug") => sql`left(lower(${sql.ref(column)}), 100) collate "C"`;

const prefixMax = 50;

/**
 * Matches organizations whose name or slug contains each word of a term, ignoring case, and accents of the name. The trigram index needs
 * three consecutive letters or digits. A shorter term must be a prefix with its accents, which the sort index finds. A whole id matches as
 * well.
 */
const hasTerm = (term: string): RawBuilder<SqlBool> => {
  const words = wordsOf(term);
  if (words.length === 1 && !hasTrigram(term) && term.length <= prefixMax)
    return sql`(${startsWithText(keyOf("name"), term)} or ${startsWithText(keyOf("slug"), term)} or id = ${term})`;
  const hasWord = (word: string) =>
    sql`(${containsFolded(schema, sql.ref("name"), word)} or ${containsText(sql`lower(slug)`, word)})`;
  return sql`(${sql.join(words.map(hasWord), sql` and `)} or id = ${term})`;
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
  where: ({ searchValue, ids }) => {
    const term = searchTerm(searchValue);
    return [term !== "" && { sql: hasTerm(term), isSearch: true }, hasIds(ids)];
  },
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
        select from ${sql.id(schema, "team_member")} where team_id = team.id limit ${countMax}
      ) as counted) as count
    from unnest(${[...ids]}::text[]) as team (id)`.execute(db);
  return rows.map(({ id, count }) => [id, count]);
};

/** An organization with the user's membership. */
type JoinedOrganization = OrganizationRow & {
  memberId: string;
  role: string;
  joinedAt: Date;
};

const anyUser: OwnerQuery<{ userId: string }> = ({ userId }) => sql`select ${userId}::text`;

/** The organizations of a user, in the order of joining by default. */
export const joinedList: ScopedList<JoinedOrganization, { userId: string }> = {
  schema,
  table: "member",
  select: sql<JoinedOrganization>`
    ${selectColumns(qualifiedOrganization)},
    member.id as member_id, member.role, member.created_at as joined_at`,
  join: sql`
    left join ${sql.id(schema, "organization")} as organization
    on organization.id = member.organization_id`,
  ownerColumn: sql.ref("userId"),
  ownerOf: ({ userId }) => askedOwner(anyUser, { userId }),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "asc" },
  where: () => [],
};

/** The filters of a list of members for admins. */
export interface MemberFilter {
  organizationId: string;
  /** A role that the member has, possibly among others. */
  role?: string | undefined;
  teamId?: string | undefined;
}

const member = sql.id(schema, "member");

/** Matches members with a role. Reads them by the distinct role texts that contain it, each by an index in the list's order. */
const hasRole = ({ organizationId, role }: MemberFilter): ListCondition => {
  const present = looseScan({
    table: member,
    fixed: [[sql`organization_id`, sql`${organizationId}::text`]],
    columns: [sql`role`],
  });
  return {
    sql: sql`${role} = any(string_to_array(role, ','))`,
    lead: {
      columns: [sql`role`],
      values: sql`
        select held.value0 from (${present}) as held
        where ${role} = any(string_to_array(held.value0, ','))`,
    },
  };
};

const organizationById: OwnerQuery<{ organizationId: string }> = ({ organizationId }) =>
  sql`select id from ${sql.id(schema, "organization")} where id = ${organizationId}`;

/** The members of any organization, in the order of joining by default. */
export const adminMemberList: ScopedList<MemberRow, MemberFilter> = {
  schema,
  table: "member",
  select: selectColumns(qualified("member", memberSelection)),
  ownerColumn: sql.ref("organizationId"),
  ownerOf: ({ organizationId }) => askedOwner(organizationById, { organizationId }),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "asc" },
  where: (filter) => [
    filter.teamId && { sql: isInTeams([filter.teamId]), isSearch: true },
    filter.role && hasRole(filter),
  ],
};
