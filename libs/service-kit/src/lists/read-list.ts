import type { Kysely, RawBuilder } from "kysely";
import { picker } from "../database/columns.ts";
import { estimateRows } from "../database/estimate-rows.ts";
import { planAnew } from "../database/plan-anew.ts";
import type { List, ListCondition, ScopedList } from "./list.ts";
import {
  beyond,
  gather,
  type ListRange,
  matches,
  type Placed,
  scan,
  scanAndCount,
} from "./list-statements.ts";
import { readOwned } from "./read-owned.ts";
import { type PageQuery, readPage, refuseQuery, takePage } from "./read-page.ts";

/** Totals are exact up to this number. */
export const exactTotalMax = 10_000;

const countMax = exactTotalMax + 1;
/** Rows to scan in order before sorting all matches becomes faster. */
const walkedMax = 20_000;
/**
 * From this estimate on, there are almost certainly more than `exactTotalMax` matches, so the list does not count them. The planner's
 * sample has a thousand values of a measured column. Among a million rows, this estimate means that thirty of them match. With only
 * ten thousand matches, about ten would.
 */
const certainlyManyFrom = 30_000;

/** The query parameters of a list: its page, its order and its filter. */
export type ListQuery<Filter> = Filter &
  PageQuery & { sortBy?: string | undefined; sortDirection?: "asc" | "desc" | undefined };

/** The rows of a page, and the cursor of the next one unless it is the last. */
export interface ListedRows<Row> {
  rows: Row[];
  nextCursor?: string;
}

/** A page with the number of matches, exact up to `exactTotalMax`. If it is an estimate, there are more than that. */
export interface ListedPage<Row> extends ListedRows<Row> {
  total: number;
  totalIsEstimate?: boolean;
}

// Any database: a list names its schema and its tables.
type Database = Kysely<any>;

/** Rows in order and the number of matches. `countMax` stands for any number from there. */
interface Found {
  rows: Placed[];
  count: number;
}

const isCondition = (one: ListCondition | "" | false | undefined): one is ListCondition =>
  typeof one === "object";

const readRange = <Filter>(list: List<unknown, Filter>, query: ListQuery<Filter>): ListRange => {
  const by = query.sortBy || list.order.by;
  const key = Object.hasOwn(list.keys, by) ? list.keys[by] : undefined;
  if (!key) return refuseQuery("sortBy", "is no sortable column");
  const order = { by, direction: query.sortDirection ?? list.order.direction };
  const place = { type: key.type, isNullable: !key.isIndexed, hasNumberIds: list.hasNumberIds };
  const page = readPage({ ...order, ...place }, query);
  return {
    list,
    key,
    page: { ...page, limit: page.limit + 1 },
    conditions: list.where(query).filter(isCondition),
  };
};

const toFound = (rows: readonly Placed[]): Found => ({
  count: rows[0]?.matchCount ?? 0,
  rows: rows.filter(({ placeId }) => placeId !== null),
});

const placeNames: ReadonlySet<string> = new Set<keyof Placed>([
  "matchCount",
  "placeKey",
  "placeId",
]);

/** By the selection of a list, whose rows have the same members in all of its statements. */
const pickers = new WeakMap<object, (placed: object) => object>();

const pickerOf = (select: object, placed: Placed | undefined) => {
  const existingPicker = pickers.get(select);
  if (existingPicker || !placed) return existingPicker;
  const pick = picker<object>(Object.keys(placed).filter((name) => !placeNames.has(name)) as never);
  pickers.set(select, pick);
  return pick;
};

const toRows = <Row>({ list, page }: ListRange, found: readonly Placed[]): ListedRows<Row> => {
  const shown = { order: page.order, limit: page.limit - 1 };
  const { rows, ...next } = takePage(shown, found, ({ placeKey, placeId }) => ({
    key: placeKey,
    id: placeId ?? "",
  }));
  const pick = pickerOf(list.select, rows[0]);
  return { rows: rows.map((row) => pick?.(row) as Row), ...next }; // as the list selects
};

const run = <Row>(db: Database, statement: RawBuilder<Row>): Promise<Row[]> =>
  planAnew(db, { compile: () => statement.compile(db) });

const find = async (db: Database, statement: RawBuilder<Placed>): Promise<Found> =>
  toFound(await run(db, statement));

const estimate = (db: Database, range: ListRange): Promise<number> =>
  estimateRows(db, { compile: () => matches(range).compile(db) });

/**
 * Finds the rows of a list with many matches by a scan in order, unless the matches are far behind in it. Statistics may be
 * outdated, so a first page with all matches determines the total.
 */
const findMany = async (db: Database, range: ListRange): Promise<Found> => {
  const { limit, offset, after } = range.page;
  const { isIndexed } = range.key;
  const { rows } = await find(db, scan(range, isIndexed ? walkedMax : undefined));
  if (rows.length === limit) return { rows, count: countMax };
  const remainingRows = isIndexed ? await run(db, beyond(range, walkedMax)) : [];
  if (remainingRows.length > 0) return find(db, gather(range));
  return { rows, count: after || offset > 0 ? countMax : rows.length };
};

/**
 * Chooses the cheapest plan. Few matches of a search are gathered and sorted; many are found by a scan in order. Matches of other
 * conditions are scanned and counted together, unless the statistics are certain that there are many.
 */
const findPage = async (db: Database, range: ListRange): Promise<Found & { estimate: number }> => {
  const { conditions } = range;
  const isSearch =
    conditions.some((one) => one.isSearch) || conditions.filter(({ lead }) => lead).length > 1;
  const isMeasured = conditions.length > 0 && conditions.every((one) => one.isMeasured);
  const count = () => find(db, scanAndCount(range, countMax));
  if (!isSearch && !isMeasured) {
    // Concurrently, so that a list with many matches does not wait twice.
    const [counted, estimated] = await Promise.all([count(), estimate(db, range)]);
    return { ...counted, estimate: estimated };
  }
  const estimated = await estimate(db, range);
  const listed = async () => {
    if (isMeasured && estimated >= certainlyManyFrom) return findMany(db, range);
    if (!isSearch) return count();
    const gathered = await find(db, gather(range, countMax));
    return gathered.count < countMax ? gathered : findMany(db, range);
  };
  return { ...(await listed()), estimate: estimated };
};

/**
 * Returns a page of a list with its total. The cost does not grow with the number of rows in the table. Throws `VALIDATION_ERROR`
 * for an invalid limit, offset or cursor.
 */
export const readList = async <Row, Filter>(
  db: Database,
  list: List<Row, Filter>,
  query: ListQuery<Filter>,
): Promise<ListedPage<Row>> => {
  const range = readRange(list, query);
  const { rows, count, estimate } = await findPage(db, range);
  return {
    ...toRows<Row>(range, rows),
    ...(count < countMax
      ? { total: count }
      : { total: Math.max(estimate, countMax), totalIsEstimate: true }),
  };
};

/** Returns a page of a list without its total. Throws `VALIDATION_ERROR` for an invalid limit, offset or cursor. */
export const readUncounted = async <Row, Filter>(
  db: Database,
  list: List<Row, Filter>,
  query: ListQuery<Filter>,
): Promise<ListedRows<Row>> => {
  const range = readRange(list, query);
  const { rows } = await find(db, scan(range));
  return toRows<Row>(range, rows);
};

/**
 * Returns a page of the rows of one owner, or undefined if there is no such owner. An index finds the rows of any owner in order, so
 * the statement without a filter is prepared once. With a filter it is not, because a client could fill every connection with the
 * hundreds of forms of its filters. The planner has no statistics on one owner. So beyond `exactTotalMax` matches, `total` is
 * `exactTotalMax` + 1 and `totalIsEstimate` is true. Throws `VALIDATION_ERROR` for an invalid limit, offset or cursor.
 */
export const readScopedList = async <Row, Filter>(
  db: Database,
  list: ScopedList<Row, Filter>,
  query: ListQuery<Filter>,
): Promise<ListedPage<Row> | undefined> => {
  const range = readRange(list, query);
  const owner = list.ownerOf(query);
  const pageRows = await readOwned(db, { list, range, owner, countMax });
  if (pageRows.length === 0) return undefined;
  const { rows, count } = toFound(pageRows);
  return {
    ...toRows<Row>(range, rows),
    total: count,
    ...(count === countMax && { totalIsEstimate: true }),
  };
};
