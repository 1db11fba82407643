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
import { type ApiKeyRow, keyColumns } from "../keys/key-row.ts";

/** How a key stands: whether anybody has disabled it, and whether it has expired. */
export type KeyState = "enabled" | "disabled" | "expired";

/** Which keys: those that fit all that is said. */
export interface KeyFilter {
  userId?: string | undefined;
  /** The whole of it. */
  prefix?: string | undefined;
  /** Its beginning. */
  start?: string | undefined;
  state?: KeyState | undefined;
  now: Date;
}

/** Which keys, in which order. */
export interface KeyRange {
  page: ListPage<"createdAt">;
  filter: KeyFilter;
}

/** Rows in order, and how many fit; where there are many, no fewer than that. */
export interface CountedKeys {
  rows: ApiKeyRow[];
  count: number;
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** As the index has it. */
const isDisabled = sql<SqlBool>`(not enabled or disabled_by_admin)`;

const hasState = (state: KeyState, now: Date): RawBuilder<SqlBool> => {
  if (state === "disabled") return isDisabled;
  if (state === "expired") return sql`expires_at < ${now}`;
  return sql`(enabled and not disabled_by_admin and coalesce(expires_at >= ${now}, true))`;
};

const fits = ({ userId, prefix, start, state, now }: KeyFilter): RawBuilder<SqlBool> => {
  const asked = [
    userId !== undefined && sql`user_id = ${userId}`,
    prefix !== undefined && sql`prefix = ${prefix}`,
    start !== undefined && sql`start like ${`${escaped(start)}%`}`,
    state !== undefined && hasState(state, now),
  ].filter((condition) => condition !== false);
  return asked.length === 0 ? sql`true` : sql`${sql.join(asked, sql` and `)}`;
};

/** What an index has before the order of keys, where a filter asks for one value of it. */
interface Lead {
  column: RawBuilder<unknown>;
  value: string;
}

const leadOf = ({ userId, prefix }: KeyFilter): Lead | undefined => {
  if (userId !== undefined) return { column: sql.ref("userId"), value: userId };
  return prefix === undefined ? undefined : { column: sql.ref("prefix"), value: prefix };
};

const one = sql<number>`1`.as("one");

/** In order, from a place on. The order begins with the lead, if there is one, so that its index alone gives it. */
const inOrder = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { order: { direction }, after }: Pick<KeyRange["page"], "after" | "order">,
  lead?: Lead,
): SelectQueryBuilder<DB, TB, O> => {
  const columns = [...(lead ? [lead.column] : []), sql.ref("createdAt"), sql.ref("id")];
  const values = [
    ...(lead ? [sql`${lead.value}::text`] : []),
    sql`${after?.key}::timestamptz`,
    sql`${after?.id}::text`,
  ];
  const further = sql.raw(direction === "asc" ? ">" : "<");
  const ordered = columns.reduce((part, column) => part.orderBy(column, direction), query);
  return after
    ? ordered.where(sql<SqlBool>`(${sql.join(columns)}) ${further} (${sql.join(values)})`)
    : ordered;
};

/**
 * Asks for the one value of a lead. By `=`, any index of the rest of the order would do as well; with both bounds beside a place, a
 * scan would begin at the first of them and not at the place.
 */
const hasLead = (
  { column, value }: Lead,
  { order: { direction }, after }: KeyRange["page"],
): RawBuilder<SqlBool> =>
  after
    ? sql`${column} ${sql.raw(direction === "asc" ? "<=" : ">=")} ${value}`
    : sql`${column} between ${value} and ${value}`;

type Counted = Tables & { counted: { count: number }; page: { id: string; createdAt: Date } };

const shown = keyColumns.map((column) => `apiKey.${column}` as const);

/** Places as rows. */
const describe = (db: QueryCreator<Counted>, { page }: KeyRange) =>
  db
    .selectFrom("counted")
    .leftJoin("page", (join) => join.onTrue())
    .leftJoin("apiKey", "apiKey.id", "page.id")
    .select("counted.count")
    .select(shown)
    .orderBy("page.createdAt", page.order.direction)
    .orderBy("page.id", page.order.direction);

type Described = { [Name in keyof ApiKeyRow]: ApiKeyRow[Name] | null } & { count: number };

/** A count without rows comes in a row of nulls. */
const toCounted = (found: readonly Described[]): CountedKeys => ({
  count: found[0]?.count ?? 0,
  rows: found.filter(({ id }) => id !== null).map(({ count: _, ...row }) => row as ApiKeyRow),
});

/** A range of all keys, and how many there are, up to `countMax`. */
export const listAll = async (
  db: Kysely<Tables>,
  range: KeyRange,
  countMax: number,
): Promise<CountedKeys> => {
  const { limit, offset } = range.page;
  const counted = db.selectFrom("apiKey").select(one).limit(countMax).as("counting");
  const query = db
    .with("page", (cte) =>
      inOrder(cte.selectFrom("apiKey").select(["id", "createdAt"]), range.page)
        .offset(offset)
        .limit(limit),
    )
    .with("counted", (cte) =>
      cte.selectFrom(counted).select((eb) => eb.fn.countAll<number>().as("count")),
    );
  return toCounted(await planAnew(db, describe(query, range)));
};

/**
 * A range of those that fit, and how many do: all of them are found and sorted, wherever in the order they are. Where there are
 * `countMax` or more, they are counted up to it, and no rows are given.
 */
export const gather = async (
  db: Kysely<Tables>,
  range: KeyRange,
  countMax?: number,
): Promise<CountedKeys> => {
  const { limit, offset } = range.page;
  const query = db
    .with(
      (cte) => cte("found").materialized(),
      (cte) =>
        cte
          .selectFrom("apiKey")
          .select(["id", "createdAt"])
          .where(fits(range.filter))
          .$if(countMax !== undefined, (all) => all.limit(countMax as number)),
    )
    .with("counted", (cte) =>
      cte.selectFrom("found").select((eb) => eb.fn.countAll<number>().as("count")),
    )
    .with("page", (cte) =>
      inOrder(cte.selectFrom("found").select(["id", "createdAt"]), range.page)
        .$if(countMax !== undefined, (all) =>
          all.where(
            (eb) => eb.selectFrom("counted").select("counted.count"),
            "<",
            countMax as number,
          ),
        )
        .offset(offset)
        .limit(limit),
    );
  return toCounted(await planAnew(db, describe(query, range)));
};

const walkedColumns = [
  "id",
  "userId",
  "prefix",
  "start",
  "enabled",
  "disabledByAdmin",
  "expiresAt",
  "createdAt",
] as const;

/**
 * A range of those that fit, by following an index in its order until there are enough; at most `walkedMax` rows beside the
 * offset are looked at, so that there may be further ones where the range is not full.
 */
export const walk = async (
  db: Kysely<Tables>,
  { page, filter }: KeyRange,
  walkedMax: number,
): Promise<ApiKeyRow[]> => {
  const lead = leadOf(filter);
  const { limit, offset } = page;
  const walked = inOrder(db.selectFrom("apiKey").select(walkedColumns), page, lead)
    .$if(lead !== undefined, (query) => query.where(hasLead(lead as Lead, page)))
    .limit(walkedMax + offset);
  const fitting = inOrder(
    db.selectFrom(walked.as("walked")).select(["id", "createdAt"]).where(fits(filter)),
    { order: page.order },
    lead,
  )
    .offset(offset)
    .limit(limit);
  const query = db
    .with("page", () => fitting)
    .selectFrom("page")
    .innerJoin("apiKey", "apiKey.id", "page.id")
    .select(shown)
    .orderBy("page.createdAt", page.order.direction)
    .orderBy("page.id", page.order.direction);
  return planAnew(db, query);
};

/** How many fit, as the planner's statistics have it. */
export const estimateCount = (db: Kysely<Tables>, { filter }: KeyRange): Promise<number> =>
  estimateRows(db, db.selectFrom("apiKey").select(one).where(fits(filter)));

/** A key of anybody. */
export const findKey = (db: Kysely<Tables>, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom("apiKey").select(keyColumns).where("id", "=", id).executeTakeFirst();

/** Says whether an admin has disabled a key; undefined where there is none, and where that is said already. */
export const updateDisabledByAdmin = (
  db: Kysely<Tables>,
  { id, disabledByAdmin, now }: { id: string; disabledByAdmin: boolean; now: Date },
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set({ disabledByAdmin, updatedAt: now })
    .where("id", "=", id)
    .where("disabledByAdmin", "!=", disabledByAdmin)
    .returning(keyColumns)
    .executeTakeFirst();

/** Deletes a key of anybody; undefined where there is none. */
export const deleteKey = (
  db: Kysely<Tables>,
  id: string,
): Promise<{ userId: string } | undefined> =>
  db.deleteFrom("apiKey").where("id", "=", id).returning("userId").executeTakeFirst();
