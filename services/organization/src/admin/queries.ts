import { estimateRows, type ListPage, planAnew } from "@latchkey/service-kit";
import {
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";
import type { Tables } from "../db/tables.ts";
import { schema } from "../db/schema.ts";
import { type OrganizationRow, qualifiedOrganization } from "../organizations/queries.ts";

/** Selects organizations and their order. */
export interface OrganizationRange {
  page: ListPage<"createdAt" | "name" | "slug">;
  /** A part of the name or slug. */
  term?: string | undefined;
}

export type ListedOrganization = OrganizationRow & {
  memberCount: number;
  /** The value of the sort column. */
  placeKey: string | Date;
};

/** Rows in order and the number of matches, capped at `countMax`. Both come from one snapshot. */
export interface CountedOrganizations {
  rows: ListedOrganization[];
  count: number;
}

type Sql = RawBuilder<unknown>;

/** Returns the expression that the indexes use. */
const keyOf = (column: "name" | "slug"): Sql =>
  sql`left(lower(${sql.ref(`organization.${column}`)}), 100) collate "C"`;

const keys = {
  createdAt: { sql: sql.ref("organization.createdAt"), type: sql`timestamptz` },
  name: { sql: keyOf("name"), type: sql`text` },
  slug: { sql: keyOf("slug"), type: sql`text` },
};

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** The trigram index needs three consecutive letters or digits. The prefix index serves shorter terms. */
const hasTrigram = /[\p{L}\p{N}]{3}/u;
const beginningMax = 50;

/** Matches organizations whose name or slug contains a term, ignoring case. A term too short for trigrams must be a prefix. */
const fits = (term: string): RawBuilder<SqlBool> => {
  const like = (text: Sql, pattern: string) =>
    sql<SqlBool>`${text} like lower(${pattern}) collate "C"`;
  if (!hasTrigram.test(term) && term.length <= beginningMax) {
    const pattern = `${escaped(term)}%`;
    return sql`(${like(keyOf("name"), pattern)} or ${like(keyOf("slug"), pattern)})`;
  }
  const pattern = `%${escaped(term)}%`;
  const whole = (column: "name" | "slug") =>
    sql`lower(${sql.ref(`organization.${column}`)}) collate "C"`;
  return sql`(${like(whole("name"), pattern)} or ${like(whole("slug"), pattern)})`;
};

const fitting = (db: QueryCreator<Tables>, { term }: OrganizationRange) =>
  db.selectFrom("organization").$if(Boolean(term), (query) => query.where(fits(term as string)));

const one = sql<number>`1`.as("one");

const paged = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { order: { by, direction }, after, limit, offset }: OrganizationRange["page"],
  { key, id }: { key: Sql; id: Sql },
): SelectQueryBuilder<DB, TB, O> => {
  const further = sql.raw(direction === "asc" ? ">" : "<");
  return query
    .$if(after !== undefined, (part) =>
      part.where(
        sql<SqlBool>`(${key}, ${id}) ${further} (${after?.key}::${keys[by].type}, ${after?.id})`,
      ),
    )
    .orderBy(key, direction)
    .orderBy(id, direction)
    .$if(offset > 0, (part) => part.offset(offset))
    .limit(limit);
};

type Counted = Tables & { counted: { count: number }; page: { id: string; key: string | Date } };

/** Selects the rows with their member counts. */
const describe = (db: QueryCreator<Counted>, { page }: OrganizationRange) =>
  db
    .selectFrom("counted")
    .leftJoin("page", (join) => join.onTrue())
    .leftJoin("organization", "organization.id", "page.id")
    .select(["counted.count", "page.key as placeKey"])
    .select(qualifiedOrganization)
    .select((eb) =>
      eb
        .selectFrom("member")
        .select((inner) => inner.fn.countAll<number>().as("memberCount"))
        .whereRef("member.organizationId", "=", "organization.id")
        .as("memberCount"),
    )
    .orderBy("page.key", page.order.direction)
    .orderBy("page.id", page.order.direction);

type Described = { [Name in keyof ListedOrganization]: ListedOrganization[Name] | null } & {
  count: number;
};

/** A count without rows comes as one row of nulls. */
const toCounted = (found: readonly Described[]): CountedOrganizations => ({
  count: found[0]?.count ?? 0,
  rows: found
    .filter(({ id }) => id !== null)
    .map(({ count: _, ...row }) => row as ListedOrganization),
});

/** Returns a range and the number of matches, capped at `countMax`. Scans an index in its order until there are enough rows. */
export const listInOrder = async (
  db: Kysely<Tables>,
  range: OrganizationRange,
  countMax: number,
): Promise<CountedOrganizations> => {
  const key = keys[range.page.order.by].sql;
  const counted = fitting(db, range).select(one).limit(countMax).as("fitting");
  const query = db
    .with("page", (cte) =>
      paged(
        fitting(cte, range).select(["organization.id", sql<string | Date>`${key}`.as("key")]),
        range.page,
        { key, id: sql.ref("organization.id") },
      ),
    )
    .with("counted", (cte) =>
      cte.selectFrom(counted).select((eb) => eb.fn.countAll<number>().as("count")),
    );
  return toCounted(await planAnew(db, describe(query, range)));
};

/**
 * Does the same for few matches among many rows: finds, counts and sorts all of them. With `countMax` or more matches it returns the capped
 * count and no rows.
 */
export const gather = async (
  db: Kysely<Tables>,
  range: OrganizationRange,
  countMax: number,
): Promise<CountedOrganizations> => {
  const key = keys[range.page.order.by].sql;
  const query = db
    .with(
      (cte) => cte("found").materialized(),
      (cte) =>
        fitting(cte, range)
          .select(["organization.id", sql<string | Date>`${key}`.as("key")])
          .limit(countMax),
    )
    .with("counted", (cte) =>
      cte.selectFrom("found").select((eb) => eb.fn.countAll<number>().as("count")),
    )
    .with("page", (cte) =>
      paged(cte.selectFrom("found").select(["found.id", "found.key"]), range.page, {
        key: sql.ref("found.key"),
        id: sql.ref("found.id"),
      }).where((eb) => eb.selectFrom("counted").select("counted.count"), "<", countMax),
    );
  return toCounted(await planAnew(db, describe(query, range)));
};

/** Returns the planner's estimate of the number of matches. */
export const estimateCount = (db: Kysely<Tables>, range: OrganizationRange): Promise<number> =>
  estimateRows(db, fitting(db, range).select(one));

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
