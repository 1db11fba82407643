import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Slots } from "../database/compile-once.ts";
import type { KeyType, ListOrder } from "./list-cursor.ts";

/** A part of a statement. Columns of the list's own table need no qualification in keys and conditions. */
export type Sql = RawBuilder<unknown>;

/** A value by which a list can be sorted. */
export interface ListKey {
  /** The expression of the index. */
  sql: Sql;
  type: KeyType;
  /**
   * Whether every row has a value, and an index on the key and the id yields the order. Otherwise all matches are sorted, and rows
   * without a value come last in either direction.
   */
  isIndexed: boolean;
}

/** Leading columns of an index that continues with an indexed sort key and the id. */
export interface ListLead {
  columns: readonly Sql[];
  /** A query of the distinct combinations of values to match, cast to the types of the columns. */
  values: Sql;
}

/** A condition on the rows of a list. */
export interface ListCondition {
  sql: RawBuilder<SqlBool>;
  /** Makes the rows readable in order from an index, however few or many match. */
  lead?: ListLead;
  /** Whether an index finds the matches in no useful order, so that all must be collected to be counted and sorted. */
  isSearch?: boolean;
  /** The same condition in the form for which that index finds few rows. */
  selective?: RawBuilder<SqlBool>;
  /** Whether the planner's statistics reliably predict the number of matches. */
  isMeasured?: boolean;
  /** The first included and the first excluded value, if the condition is on the sort key of a list with one key. */
  bounds?: { from?: Date | undefined; until?: Date | undefined };
}

/** The declaration of a list. `id` of the table is unique and orders ties. */
export interface List<Row, Filter> {
  schema: string;
  table: string;
  /** The columns of a listed row, qualified by table. */
  select: RawBuilder<Row>;
  /** Left joins of other tables to the rows of a page. */
  join?: Sql;
  /** The keys by which clients can sort, by their names in requests. */
  keys: Readonly<Record<string, ListKey>>;
  /** The order of a request that names none. */
  order: ListOrder;
  hasNumberIds?: boolean;
  /** Returns the conditions of a request. Falsy members are ignored. */
  where: (filter: Filter) => readonly (ListCondition | "" | false | undefined)[];
}

/** A query of an owner's id, which takes its values from slots. Without a row, there is no such owner for a request. */
export type OwnerQuery<Values> = (slots: Slots<Values>) => Sql;

/** The owner of the rows that a request asks for. */
export interface AskedOwner {
  /** Declared once, because statements are compiled once for each query. */
  query: OwnerQuery<never>;
  values: Readonly<Record<string, string>>;
}

/** Names the owner that a request asks for. */
export const askedOwner = <Values extends AskedOwner["values"]>(
  query: OwnerQuery<Values>,
  values: NoInfer<Values>,
): AskedOwner => ({ query, values });

/** A list of the rows that belong to one owner, such as the members of an organization. */
export interface ScopedList<Row, Filter> extends List<Row, Filter> {
  /** The column that refers to the owner. It leads the indexes of the keys. */
  ownerColumn: Sql;
  ownerOf: (filter: Filter) => AskedOwner;
}

/** Matches the rows with some ids of type text. An empty text counts as none. */
export const hasIds = (ids: string | readonly string[] | undefined): ListCondition | undefined => {
  const wantedIds = [ids ?? []].flat();
  if (wantedIds.length === 0 || ids === "") return undefined;
  return { sql: sql<SqlBool>`${sql.ref("id")} = any(${wantedIds}::text[])`, isSearch: true };
};

/** Returns the part of a statement that selects the columns of a row, each qualified by table. */
export const selectColumns = <Row>(qualified: readonly string[]): RawBuilder<Row> =>
  sql<Row>`${sql.join(qualified.map((column) => sql.ref(column)))}`;
