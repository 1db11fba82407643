import { type ListOrder, type ListPlace, readCursor } from "./list-cursor.ts";
import { refuseQuery } from "./refuse-query.ts";

/** The query parameters of a list. */
export interface PageQuery {
  limit?: string | number | undefined;
  offset?: string | number | undefined;
  cursor?: string | undefined;
}

/** A page of a list: rows after a place, without the first `offset`. */
export interface ListPage<By extends string = string> {
  order: ListOrder<By>;
  limit: number;
  offset: number;
  after?: ListPlace;
}

const limitDefault = 100;
const limitMax = 1_000;

/** Zero and empty text count as absent. */
const readAmount = (query: PageQuery, name: "limit" | "offset", max: number): number => {
  const amount = Number(query[name] ?? 0);
  if (!Number.isInteger(amount) || amount < 0 || amount > max)
    refuseQuery(name, `must be a whole number from 0 to ${max}`);
  return amount;
};

/** Returns the requested page. Throws `VALIDATION_ERROR` for an invalid limit or offset, and for a cursor of another order. */
export const readPage = <By extends string>(
  order: ListOrder<By>,
  query: PageQuery,
): ListPage<By> => {
  const limit = readAmount(query, "limit", limitMax) || limitDefault;
  const offset = readAmount(query, "offset", Number.MAX_SAFE_INTEGER);
  const after = query.cursor ? readCursor(order, query.cursor) : undefined;
  if (query.cursor && !after) refuseQuery("cursor", "is of no list in this order");
  return { order, limit, offset, ...(after && { after }) };
};
