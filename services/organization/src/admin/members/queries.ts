import type { ListPage } from "@latchkey/service-kit";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";
import { type MemberRow, memberSelection } from "../../members/queries.ts";

/** Selects members of an organization by join time. */
export interface MembersRange {
  organizationId: string;
  /** A role that the member has, possibly among others. */
  role?: string | undefined;
  page: ListPage<"createdAt">;
}

/** Rows in order and the number of matches, capped at `countMax`. Both come from one snapshot. */
export interface CountedMembers {
  rows: MemberRow[];
  count: number;
}

type Sql = RawBuilder<unknown>;

const member = sql.id(schema, "member");
const shown = sql.join(memberSelection.map((column) => sql.ref(column)));

/**
 * Returns the distinct `role` texts in an organization that contain a role. A loose index scan finds them, because they are few however
 * many members there are.
 */
const held = ({ organizationId, role }: MembersRange): Sql => sql`(
  with recursive present as (
    select min(role) as role from ${member} where organization_id = ${organizationId}
    union all
    select (
      select min(other.role) from ${member} as other
      where organization_id = ${organizationId} and other.role > present.role
    )
    from present where present.role is not null
  )
  select role from present where ${role} = any(string_to_array(role, ','))
) as held`;

/** Restricts to the rows after the range's cursor, in the range's order. */
const inOrder = (
  { organizationId, page: { order, after } }: MembersRange,
  role?: Sql,
): { where: Sql; orderBy: Sql } => {
  const [direction, further, until] =
    order.direction === "asc" ? ["asc", ">", "<="] : ["desc", "<", ">="];
  const names = [...(role ? ["role"] : []), "createdAt", "id"].map((name) => sql.ref(name));
  const values = [
    ...(role ? [role] : []),
    sql`${after?.key}::timestamptz`,
    sql`${after?.id}::text`,
  ];
  const conditions = [
    sql`organization_id = ${organizationId}`,
    // With `=`, the planner could choose the index without roles. With both bounds on the time as well, a scan would not begin at the
    // cursor.
    role && !after && sql`member.role between ${role} and ${role}`,
    role && after && sql`member.role ${sql.raw(until)} ${role}`,
    after && sql`(${sql.join(names)}) ${sql.raw(further)} (${sql.join(values)})`,
  ].filter((condition) => condition !== undefined && condition !== false);
  return {
    where: sql.join(conditions, sql` and `),
    orderBy: sql.join(names.map((name) => sql`${name} ${sql.raw(direction)}`)),
  };
};

/** Returns the first `limit` rows of a range. Rows with a role are read per role text, each by an index in that order. */
const firstOf = (range: MembersRange, limit: number): Sql => {
  const first = ({ where, orderBy }: ReturnType<typeof inOrder>) =>
    sql`(select ${shown} from ${member} where ${where} order by ${orderBy} limit ${limit}) as one`;
  return range.role === undefined
    ? first(inOrder(range))
    : sql`${held(range)} cross join lateral ${first(inOrder(range, sql`held.role`))}`;
};

/** Returns a range of members and the number of matches, capped at `countMax`. */
export const listAndCount = async (
  db: Kysely<Tables>,
  range: MembersRange,
  countMax: number,
): Promise<CountedMembers> => {
  const { order, limit, offset } = range.page;
  const whole = { ...range, page: { order, limit, offset: 0 } };
  const { orderBy } = inOrder(range);
  type Found = { count: number } & { [Name in keyof MemberRow]: MemberRow[Name] | null };
  const { rows } = await sql<Found>`
    with page as (
      select one.* from ${firstOf(range, limit + offset)} order by ${orderBy} offset ${offset} limit ${limit}
    ), counted as (
      select count(*) as count from (
        select from ${firstOf(whole, countMax)} limit ${countMax}
      ) as fitting
    )
    select counted.count, page.* from counted left join page on true order by ${orderBy}`.execute(
    db,
  );
  return {
    count: rows[0]?.count ?? 0,
    // A count without rows comes as one row of nulls.
    rows: rows.filter(({ id }) => id !== null).map(({ count: _, ...row }) => row as MemberRow),
  };
};

/** Returns up to `limit` members of an organization, in no order. */
export const listFirst = async (
  db: Kysely<Tables>,
  organizationId: string,
  limit: number,
): Promise<MemberRow[]> =>
  db
    .selectFrom("member")
    .select(memberSelection)
    .where("organizationId", "=", organizationId)
    .limit(limit)
    .execute();
