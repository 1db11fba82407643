import { type ListOrder, type ListPlace, readCursor } from "./list-cursor.ts";
import { refuseQuery } from "./refuse-query.ts";

/** What a list is asked for, as queries have it. */
export interface PageQuery {
  limit?: string | number | undefined;
  offset?: string | number | undefined;
  cursor?: string | undefined;
}

/** Which rows of a list, in its order: what comes after a place, without the first `offset`. */
export interface ListPage<By extends string = string> {
  order: ListOrder<By>;
  limit: number;
  offset: number;
  after?: ListPlace;
}

const limitDefault = 100;
const limitMax = 1_000;

/** Zero and empty text count as not given. */
const readAmount = (query: PageQuery, name: "limit" | "offset", max: number): number => {
  const amount = Number(query[name] ?? 0);
  if (!Number.isInteger(amount) || amount < 0 || amount > max)
    refuseQuery(name, `must be a whole number from 0 to ${max}`);
  return amount;
};

/**
 * The page that a query asks for. Throws `VALIDATION_ERROR` for amounts that are none, and for a cursor that is not of this
 * order.
 */
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
