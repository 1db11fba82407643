import { type RawBuilder, sql } from "kysely";
import type { List, ListCondition, ListKey, ListLead, Sql } from "./list.ts";
import type { ListPage } from "./read-page.ts";

/** The requested rows of a list. */
export interface ListRange {
  list: Pick<List<unknown, never>, "hasNumberIds" | "join" | "schema" | "select" | "table">;
  key: ListKey;
  /** Its limit is one more than the page shows, which reveals whether there is a next page. */
  page: ListPage;
  conditions: readonly ListCondition[];
  /** Restricts the list to the rows of one owner: the column that refers to it, and a query of its id. */
  owner?: { column: Sql; query: Sql };
}

/** The count of matches with the place of a row. A count without rows comes as one row of nulls. */
export interface Placed {
  matchCount: number;
  placeKey: string | null;
  placeId: string | null;
}

type Statement = RawBuilder<Placed>;

const keyTypes = { boolean: "boolean", number: "numeric", text: "text", time: "timestamptz" };

const tableOf = ({ list }: ListRange): Sql => sql.id(list.schema, list.table);
const idOf = ({ list }: ListRange): Sql => sql.id(list.table, "id");
const allOf = (conditions: readonly Sql[]): Sql => sql.join([sql`true`, ...conditions], sql` and `);

/** Names of a row's place inside statements, whatever columns the table has. */
const place = [sql`place_key`, sql`place_id`] as const;

const ordered = ({ page: { order }, key }: ListRange, columns: readonly Sql[]) => {
  const by = sql.raw(key.isIndexed ? order.direction : `${order.direction} nulls last`);
  return sql.join(columns.map((column) => sql`${column} ${by}`));
};

const afterValues = ({ list, key, page: { after } }: ListRange): Sql[] => [
  sql`${after?.key}::${sql.raw(keyTypes[key.type])}`,
  sql`${after?.id}::${sql.raw(list.hasNumberIds ? "bigint" : "text")}`,
];

/** Restricts to rows after the page's place. */
const isAfter = (range: ListRange, [key, id]: readonly [Sql, Sql]): Sql[] => {
  const { after, order } = range.page;
  if (!after) return [];
  const further = sql.raw(order.direction === "asc" ? ">" : "<");
  const values = afterValues(range);
  if (after.key === null) return [sql`(${key} is null and ${id} ${further} ${values[1]})`];
  const isFurther = sql`(${key}, ${id}) ${further} (${sql.join(values)})`;
  return [range.key.isIndexed ? isFurther : sql`(${isFurther} or ${key} is null)`];
};

const valueNames = ({ columns }: ListLead) => columns.map((_, index) => sql.id(`value${index}`));

/**
 * Restricts to one combination of a lead's values, within the bounds and after the page's place. With row comparisons the planner
 * must choose the index of the lead; with `=`, it could choose any index on the remaining columns. There is one comparison for each
 * end: with two, a scan might begin at the wider one.
 */
const withinLead = (range: ListRange, lead: ListLead): Sql[] => {
  const { after, order } = range.page;
  const { from, until } = range.conditions.find(({ bounds }) => bounds)?.bounds ?? {};
  const compare = (operator: ">" | ">=" | "<" | "<=", columns: Sql[], values: Sql[]) =>
    sql`(${sql.join([...lead.columns, ...columns])}) ${sql.raw(operator)} (${sql.join([...valueNames(lead), ...values])})`;
  const compareKey = (operator: ">=" | "<", value: Date) =>
    compare(operator, [range.key.sql], [sql`${value}::timestamptz`]);
  const compareAfter = (operator: ">" | "<") =>
    compare(operator, [range.key.sql, idOf(range)], afterValues(range));
  const first = from ? compareKey(">=", from) : compare(">=", [], []);
  const last = until ? compareKey("<", until) : compare("<=", [], []);
  if (!after) return [first, last];
  return order.direction === "asc" ? [compareAfter(">"), last] : [first, compareAfter("<")];
};

/** Separates the first condition with a lead from the others. */
const splitLead = ({ conditions, key, owner }: ListRange): { lead?: ListLead; others: Sql[] } => {
  const leading = key.isIndexed ? conditions.find(({ lead }) => lead) : undefined;
  const others = conditions.filter((one) => one !== leading).map((one) => one.sql);
  if (owner) others.push(sql`${owner.column} = (select list_owner.id from list_owner)`);
  return { ...(leading?.lead && { lead: leading.lead }), others };
};

const forEachValue = (lead: ListLead, query: Sql): Sql => sql`
  select found.* from (${lead.values}) as lead (${sql.join(valueNames(lead))})
  cross join lateral (${query}) as found`;

/**
 * Selects the places of the first `limit` rows. With `walkedMax`, follows the index for no more than so many rows, whether or not
 * they match. Otherwise, the planner chooses.
 */
const firstPlaces = (range: ListRange, limit: number | Sql, walkedMax?: number): Sql => {
  const { lead, others } = splitLead(range);
  const [key, id] = [range.key.sql, idOf(range)] as const;
  const leading = (lead?.columns ?? []).map((column, index) => ({
    column,
    name: sql.id(`lead${index}`),
  }));
  const reached = lead ? withinLead(range, lead) : isAfter(range, [key, id]);
  const names = [...leading.map(({ name }) => name), ...place];
  const places = sql.join([
    ...leading.map(({ column, name }) => sql`${column} as ${name}`),
    sql`${key} as place_key`,
    sql`${id} as place_id`,
  ]);
  const order = ordered(range, names);
  const table = sql.id(range.list.table);
  const query =
    walkedMax === undefined
      ? sql`
        select ${places} from ${tableOf(range)}
        where ${allOf([...reached, ...others])} order by ${order} limit ${limit}`
      : sql`
        select ${sql.join(names)} from (
          select ${table}.*, ${places} from ${tableOf(range)}
          where ${allOf(reached)} order by ${order} limit ${walkedMax}
        ) as ${table} where ${allOf(others)} order by ${order} limit ${limit}`;
  return lead ? forEachValue(lead, query) : query;
};

/** Selects the places of the page from those of the first rows. */
const pageOf = (range: ListRange, places: Sql): Sql => sql`
  select place_key, place_id from (${places}) as placed
  order by ${ordered(range, place)} offset ${range.page.offset} limit ${range.page.limit}`;

/** A time as text to the microsecond: other programs may write times that are finer than those that clients see. */
const timeText = (time: Sql): Sql =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

interface Parts {
  /** Further parts, which the other two may use. */
  found?: Sql;
  page: Sql;
  count: Sql;
}

/** Selects the rows of a page with the count, all from one snapshot. */
const described = (range: ListRange, { found, page, count }: Parts): Statement => {
  const { list, key, owner } = range;
  const [placeKey, placeId] = [sql`page.place_key`, sql`page.place_id`];
  const parts = [
    ...(owner ? [sql`list_owner (id) as (${owner.query})`] : []),
    ...(found ? [sql`found as materialized (${found})`] : []),
    sql`counted as (${count})`,
    sql`page as (${page})`,
  ];
  return sql<Placed>`
    with ${sql.join(parts)}
    select counted.match_count,
      ${key.type === "time" ? timeText(placeKey) : sql`${placeKey}::text`} as place_key,
      ${placeId}::text as place_id, ${list.select}
    from counted ${owner ? sql`cross join list_owner` : sql``}
    left join page on true
    left join ${tableOf(range)} on ${idOf(range)} = ${placeId} ${list.join ?? sql``}
    order by ${ordered(range, [placeKey, placeId])}`;
};

const countOf = (range: ListRange, countMax: number): Sql => {
  const { lead, others } = splitLead(range);
  const { after: _, ...page } = range.page;
  const within = lead ? withinLead({ ...range, page }, lead) : [];
  const query = sql`
    select from ${tableOf(range)} where ${allOf([...within, ...others])} limit ${countMax}`;
  const matches = lead ? sql`${forEachValue(lead, query)} limit ${countMax}` : query;
  return sql`select count(*) as match_count from (${matches}) as matches`;
};

const noCount = sql`select 0 as match_count`;

/** Reads a page in order, and counts the matches up to `countMax`. */
export const scanAndCount = (range: ListRange, countMax: number): Statement => {
  const { offset, limit } = range.page;
  // Postgres adds them, because a statement that is compiled once has slots in their places.
  const until = sql`${offset}::bigint + ${limit}::bigint`;
  return described(range, {
    page: pageOf(range, firstPlaces(range, until)),
    count: countOf(range, countMax),
  });
};

/** Reads a page in order without a count. */
export const scan = (range: ListRange, walkedMax?: number): Statement => {
  const { offset, limit } = range.page;
  const places = firstPlaces(range, offset + limit, walkedMax && walkedMax + offset);
  return described(range, { page: pageOf(range, places), count: noCount });
};

/** Selects one row if there are rows beyond the first `walkedMax`, which a scan of this length may have missed. */
export const beyond = (range: ListRange, walkedMax: number): RawBuilder<object> => {
  const leading = { ...range, conditions: range.conditions.filter(({ lead }) => lead) };
  const skipped = walkedMax + range.page.offset;
  return sql`
    select place_id from (${firstPlaces(leading, skipped + 1)}) as placed offset ${skipped} limit 1`;
};

/**
 * Finds, counts and sorts all matches, wherever they are in the order. If there are `countMax` or more, returns only that count
 * and no rows.
 */
export const gather = (range: ListRange, countMax?: number): Statement => {
  const conditions = range.conditions.map((one) => one.selective ?? one.sql);
  const isCounted =
    countMax === undefined ? sql`true` : sql`(select match_count from counted) < ${countMax}`;
  return described(range, {
    found: sql`
      select ${range.key.sql} as place_key, ${idOf(range)} as place_id from ${tableOf(range)}
      where ${allOf(conditions)} limit ${countMax ?? sql`all`}`,
    count: sql`select count(*) as match_count from found`,
    page: pageOf(
      range,
      sql`select * from found where ${allOf([...isAfter(range, place), isCounted])}`,
    ),
  });
};

/** Selects one row for each match, for an estimate of their number. */
export const matches = (range: ListRange): RawBuilder<object> =>
  sql`select 1 from ${tableOf(range)} where ${allOf(range.conditions.map((one) => one.sql))}`;
