import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { keySql, type Sql, typeSql } from "../db/column-sql.ts";
import { conditionSql, selectiveSql } from "../db/condition-sql.ts";
import { planAnew } from "@latchkey/service-kit";
import type { Tables } from "../db/tables.ts";
import type { Condition } from "../rows/read-condition.ts";
import { userSelection, type UserRow } from "../users/user-row.ts";
import type { ListOrder, ListPlace, ListRange } from "./list-range.ts";

/** A user and the sort key. */
export type PlacedRow = UserRow & { placeKey: string | null };

/** Rows in order, and the number of matches, up to a maximum. */
export interface CountedRows {
  rows: PlacedRow[];
  count: number;
}

type Query<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>;

const ordered = <DB, TB extends keyof DB, O>(
  query: Query<DB, TB, O>,
  { direction, column }: ListOrder,
  [key, id]: readonly [Sql, Sql],
): Query<DB, TB, O> =>
  query
    .orderBy(key, (by) => {
      const directed = direction === "asc" ? by.asc() : by.desc();
      return column.isNullable ? directed.nullsLast() : directed;
    })
    .orderBy(id, direction);

const isAfter = ({ column, direction }: ListOrder, key: Sql, place: ListPlace) => {
  const comparison = sql.raw(direction === "asc" ? ">" : "<");
  const id = sql.ref("id");
  if (place.key === null) return sql<SqlBool>`(${key} is null and ${id} ${comparison} ${place.id})`;
  const further = sql<SqlBool>`(${key}, ${id}) ${comparison} (${place.key}::${typeSql(column)}, ${place.id})`;
  return column.isNullable ? sql<SqlBool>`(${further} or ${key} is null)` : further;
};

const paged = <DB, TB extends keyof DB, O>(
  query: Query<DB, TB, O>,
  { order, after, offset, limit }: ListRange,
  key: Sql,
): Query<DB, TB, O> =>
  ordered(query, order, [key, sql.ref("id")])
    .$if(after !== undefined, (part) => part.where(isAfter(order, key, after as ListPlace)))
    .$if(offset > 0, (part) => part.offset(offset))
    .limit(limit);

const fitting = (
  db: Kysely<Tables>,
  conditions: readonly Condition[],
  write: (condition: Condition) => Expression<SqlBool> = conditionSql,
) => db.selectFrom("user").where((eb) => eb.and(conditions.map(write)));

const one = sql<number>`1`.as("one");

/** Selects the rows of a range by following an index in their order. */
const selectInOrder = (db: Kysely<Tables>, range: ListRange) => {
  const key = keySql(range.order.column);
  const placeKey = sql<string | null>`${key}::text`.as("placeKey");
  return paged(fitting(db, range.conditions).select([...userSelection, placeKey]), range, key);
};

export const listInOrder = (db: Kysely<Tables>, range: ListRange): Promise<PlacedRow[]> =>
  planAnew<PlacedRow>(db, selectInOrder(db, range));

type MaybeRow = { count: number; id: string | null };

/** A count without rows arrives as a row of nulls. */
const toCounted = (found: readonly MaybeRow[]): CountedRows => ({
  count: found[0]?.count ?? 0,
  rows: found.filter(({ id }) => id !== null).map(({ count: _, ...row }) => row as PlacedRow),
});

/** Returns the rows and the number of matches, up to `countMax`, from one snapshot. */
export const listAndCount = async (
  db: Kysely<Tables>,
  range: ListRange,
  countMax: number,
): Promise<CountedRows> => {
  const { conditions, order } = range;
  const counted = fitting(db, conditions).select(one).limit(countMax).as("fitting");
  const query = db
    .with("page", () => selectInOrder(db, range).select(keySql(order.column).as("sortKey")))
    .with("counted", (cte) => cte.selectFrom(counted).select((eb) => eb.fn.countAll().as("count")))
    .selectFrom("counted")
    .leftJoin("page as user", (join) => join.onTrue())
    .select(["counted.count", ...userSelection, "user.placeKey"]);
  return toCounted(
    await planAnew<MaybeRow>(
      db,
      ordered(query, order, [sql.ref("user.sortKey"), sql.ref("user.id")]),
    ),
  );
};

/**
 * For few matches among many rows: finds, counts and sorts all of them in one snapshot. With `countMax` matches or more,
 * returns only the count up to it, and no rows.
 */
export const gatherAndCount = async (
  db: Kysely<Tables>,
  range: ListRange,
  countMax: number,
): Promise<CountedRows> => {
  const { conditions, order } = range;
  const key = sql.ref("key");
  const query = db
    .with(
      (cte) => cte("found").materialized(),
      () =>
        fitting(db, conditions, selectiveSql)
          .select(["user.id", keySql(order.column).as("key")])
          .limit(countMax),
    )
    .with("counted", (cte) => cte.selectFrom("found").select((eb) => eb.fn.countAll().as("count")))
    .with("page", (cte) =>
      paged(cte.selectFrom("found").selectAll(), range, key).where(
        (eb) => eb.selectFrom("counted").select("count"),
        "<",
        countMax,
      ),
    )
    .selectFrom("counted")
    .leftJoin("page", (join) => join.onTrue())
    .leftJoin("user", "user.id", "page.id")
    .select(["counted.count", ...userSelection])
    .select(sql`page.key::text`.as("placeKey"));
  return toCounted(
    await planAnew<MaybeRow>(db, ordered(query, order, [sql.ref("page.key"), sql.ref("page.id")])),
  );
};

/** The used part of the JSON result of `explain`. */
type Explained = readonly [{ Plan: { "Plan Rows": number } }];

/** Returns the number of matches that the planner's statistics predict. */
export const estimateCount = async (
  db: Kysely<Tables>,
  conditions: readonly Condition[],
): Promise<number> => {
  const query = fitting(db, conditions).select(one);
  const [row] = await planAnew<object>(db, query, "explain (format json) ");
  const [[{ Plan: plan }]] = Object.values(row ?? {}) as [Explained];
  return plan["Plan Rows"];
};
