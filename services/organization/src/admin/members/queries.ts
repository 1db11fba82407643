import type { ListPage } from "@latchkey/service-kit";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema } from "../../db/schema.ts";
import type { Tables } from "../../db/tables.ts";
import type { MemberRow } from "../../members/queries.ts";

/** Which members of an organization, by when they joined. */
export interface MembersRange {
  organizationId: string;
  /** One that a member has, be it beside others. */
  role?: string | undefined;
  page: ListPage<"createdAt">;
}

/** Rows in order, and how many fit, up to a most: both of one moment. */
export interface CountedMembers {
  rows: MemberRow[];
  count: number;
}

type Sql = RawBuilder<unknown>;

const member = sql.id(schema, "member");
const columns = ["id", "organizationId", "userId", "role", "teamId", "createdAt"] as const;
const shown = sql.join(columns.map((column) => sql.ref(column)));

/**
 * The texts of roles in an organization that hold a role. Found one after the other, without a look at the members between: there
 * are few, however many members there are.
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

/** In the order of a range, from its place on. */
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
    // By `=`, the index without roles would do for the order as well; with both bounds, a scan would not begin at its place.
    role && !after && sql`member.role between ${role} and ${role}`,
    role && after && sql`member.role ${sql.raw(until)} ${role}`,
    after && sql`(${sql.join(names)}) ${sql.raw(further)} (${sql.join(values)})`,
  ].filter((condition) => condition !== undefined && condition !== false);
  return {
    where: sql.join(conditions, sql` and `),
    orderBy: sql.join(names.map((name) => sql`${name} ${sql.raw(direction)}`)),
  };
};

/** The first `limit` of a range. Those with a role are looked up text by text, each by an index that goes on in their order. */
const firstOf = (range: MembersRange, limit: number): Sql => {
  const first = ({ where, orderBy }: ReturnType<typeof inOrder>) =>
    sql`(select ${shown} from ${member} where ${where} order by ${orderBy} limit ${limit}) as one`;
  return range.role === undefined
    ? first(inOrder(range))
    : sql`${held(range)} cross join lateral ${first(inOrder(range, sql`held.role`))}`;
};

/** A range of members, and how many fit, up to `countMax`. */
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
    // A count without rows comes in a row of nulls.
    rows: rows.filter(({ id }) => id !== null).map(({ count: _, ...row }) => row as MemberRow),
  };
};

/** The first members of an organization, in no order. */
export const listFirst = async (
  db: Kysely<Tables>,
  organizationId: string,
  limit: number,
): Promise<MemberRow[]> =>
  db
    .selectFrom("member")
    .select(columns)
    .where("organizationId", "=", organizationId)
    .limit(limit)
    .execute();
