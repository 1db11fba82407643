import { estimateRows, type ListPage, planAnew, qualified } from "@latchkey/service-kit";
import {
  type Kysely,
  type QueryCreator,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";
import type { Tables } from "../db/tables.ts";
import { type ApiKeyRow, keySelection } from "../keys/key-row.ts";

/** The state of a key: enabled, disabled by anyone, or expired. */
export type KeyState = "enabled" | "disabled" | "expired";

/** Selects the keys that match all given conditions. */
export interface KeyFilter {
  userId?: string | undefined;
  /** Matches the whole prefix. */
  prefix?: string | undefined;
  /** Matches the beginning. */
  start?: string | undefined;
  state?: KeyState | undefined;
  now: Date;
}

/** Selects keys and their order. */
export interface KeyRange {
  page: ListPage<"createdAt">;
  filter: KeyFilter;
}

/** Rows in order and the number of matches. With many matches the count is a lower bound. */
export interface CountedKeys {
  rows: ApiKeyRow[];
  count: number;
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/** Returns the expression that the index uses. */
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

/** An index column before the sort order of keys, for which the filter requires one value. */
interface Lead {
  column: RawBuilder<unknown>;
  value: string;
}

const leadOf = ({ userId, prefix }: KeyFilter): Lead | undefined => {
  if (userId !== undefined) return { column: sql.ref("userId"), value: userId };
  return prefix === undefined ? undefined : { column: sql.ref("prefix"), value: prefix };
};

const one = sql<number>`1`.as("one");

/** Sorts the rows after the cursor. If there is a lead, the order begins with it, so that its index yields the order. */
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
 * Restricts a lead to its value. With `=`, the planner could choose any index with the rest of the order. With both bounds and a cursor, a
 * scan would begin at the first bound and not at the cursor.
 */
const hasLead = (
  { column, value }: Lead,
  { order: { direction }, after }: KeyRange["page"],
): RawBuilder<SqlBool> =>
  after
    ? sql`${column} ${sql.raw(direction === "asc" ? "<=" : ">=")} ${value}`
    : sql`${column} between ${value} and ${value}`;

type Counted = Tables & { counted: { count: number }; page: { id: string; createdAt: Date } };

const shown = qualified("apiKey", keySelection);

/** Selects the rows. */
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

/** A count without rows comes as one row of nulls. */
const toCounted = (found: readonly Described[]): CountedKeys => ({
  count: found[0]?.count ?? 0,
  rows: found.filter(({ id }) => id !== null).map(({ count: _, ...row }) => row as ApiKeyRow),
});

/** Returns a range of all keys and their number, capped at `countMax`. */
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
 * Returns a range of the matches and their number. Finds and sorts all matches, wherever they are in the order. With `countMax` or more
 * matches it returns the capped count and no rows.
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
 * Returns a range of the matches by scanning an index in its order until there are enough. Reads at most `walkedMax` rows beyond the
 * offset. Therefore more matches may exist even if the range is not full.
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

/** Returns the planner's estimate of the number of matches. */
export const estimateCount = (db: Kysely<Tables>, { filter }: KeyRange): Promise<number> =>
  estimateRows(db, db.selectFrom("apiKey").select(one).where(fits(filter)));

/** Returns any user's key. */
export const findKey = (db: Kysely<Tables>, id: string): Promise<ApiKeyRow | undefined> =>
  db.selectFrom("apiKey").select(keySelection).where("id", "=", id).executeTakeFirst();

/** Sets whether an admin has disabled a key. Returns undefined if there is no such key or it already has that state. */
export const updateDisabledByAdmin = (
  db: Kysely<Tables>,
  { id, disabledByAdmin, now }: { id: string; disabledByAdmin: boolean; now: Date },
): Promise<ApiKeyRow | undefined> =>
  db
    .updateTable("apiKey")
    .set({ disabledByAdmin, updatedAt: now })
    .where("id", "=", id)
    .where("disabledByAdmin", "!=", disabledByAdmin)
    .returning(keySelection)
    .executeTakeFirst();

/** Deletes any user's key. Returns undefined if there is none. */
export const deleteKey = (
  db: Kysely<Tables>,
  id: string,
): Promise<{ userId: string } | undefined> =>
  db.deleteFrom("apiKey").where("id", "=", id).returning("userId").executeTakeFirst();
