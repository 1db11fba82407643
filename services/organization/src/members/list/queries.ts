import { type ListPage, qualified } from "@latchkey/service-kit";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "../../db/tables.ts";
import { type MemberRow, memberSelection } from "../queries.ts";
import type { MemberFilter, MemberListQuery } from "./read-member-filter.ts";

/** The caller and the organization, by its id or its slug. */
export type Scope = { userId: string } & ({ organizationId: string } | { slug: string });

/** Selects members of the organization. */
export interface MemberRange {
  scope: Scope;
  filter: MemberFilter | undefined;
  page: ListPage<NonNullable<MemberListQuery["sortBy"]>>;
}

/** Rows in order and the number of matches, capped at `countMax`. */
export interface CountedMembers {
  rows: MemberRow[];
  count: number;
}

/** Selects the organization if the caller is a member of it. */
const ownOrganization = (db: Kysely<Tables>, scope: Scope) => {
  const own = db
    .selectFrom("member as own")
    .select("own.organizationId")
    .where("own.userId", "=", scope.userId);
  return "slug" in scope
    ? own
        .innerJoin("organization", "organization.id", "own.organizationId")
        .where("organization.slug", "=", scope.slug)
    : own.where("own.organizationId", "=", scope.organizationId);
};

const comparisons = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** Comparisons treat null as a distinct value. `contains` ignores case. */
const fits = ({ field, operator, value }: MemberFilter): RawBuilder<SqlBool> => {
  const stored = sql.ref(`member.${field}`);
  if (operator === "ne") return sql`${stored} is distinct from ${value}`;
  if (operator !== "contains") return sql`${stored} ${sql.raw(comparisons[operator])} ${value}`;
  const escaped = String(value).replaceAll(/[\\%_]/g, "\\$&");
  return sql`lower(${stored}) like lower(${`%${escaped}%`})`;
};

const fitting = (db: Kysely<Tables>, { scope, filter }: MemberRange) =>
  db
    .selectFrom("member")
    .where("member.organizationId", "=", ownOrganization(db, scope))
    .$if(filter !== undefined, (part) => part.where(fits(filter as MemberFilter)));

const isAfter = ({ order, after }: MemberRange["page"]): RawBuilder<SqlBool> => {
  const place = [sql.ref(`member.${order.by}`), sql.ref("member.id")];
  const comparison = sql.raw(order.direction === "asc" ? ">" : "<");
  return sql`(${sql.join(place)}) ${comparison} (${after?.key}, ${after?.id})`;
};

const paged = (db: Kysely<Tables>, range: MemberRange) => {
  const { order, after, offset, limit } = range.page;
  return fitting(db, range)
    .select(qualified("member", memberSelection))
    .$if(after !== undefined, (part) => part.where(isAfter(range.page)))
    .orderBy(`member.${order.by}`, order.direction)
    .orderBy("member.id", order.direction)
    .offset(offset)
    .limit(limit);
};

/**
 * Returns members of an organization in order and the number of matches, capped at `countMax`, from one snapshot. Returns undefined if the
 * caller is not a member.
 */
export const listAndCountMembers = async (
  db: Kysely<Tables>,
  range: MemberRange,
  countMax: number,
): Promise<CountedMembers | undefined> => {
  const { order } = range.page;
  const counted = fitting(db, range)
    .select(sql`1`.as("one"))
    .limit(countMax)
    .as("fitting");
  const found = await db
    .with("page", () => paged(db, range))
    .with("counted", (cte) =>
      cte.selectFrom(counted).select((eb) => eb.fn.countAll<number>().as("count")),
    )
    .selectFrom(ownOrganization(db, range.scope).as("own"))
    .innerJoin("counted", (join) => join.onTrue())
    .leftJoin("page", (join) => join.onTrue())
    .select("counted.count")
    .select(qualified("page", memberSelection))
    .orderBy(`page.${order.by}`, order.direction)
    .orderBy("page.id", order.direction)
    .execute();
  const [first] = found;
  // A count without rows comes as one row of nulls.
  const rows = found
    .filter(({ id }) => id !== null)
    .map(({ count: _, ...row }) => row as MemberRow);
  return first && { rows, count: first.count };
};
