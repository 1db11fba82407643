import { WireError } from "@latchkey/contracts";
import {
  type ListOrder,
  type ListPlace,
  type PlaceType,
  readCursor,
  writeCursor,
} from "./list-cursor.ts";

/** The query parameters of a page. */
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

/** The size of a page whose request names none. */
export const limitDefault = 100;
const limitMax = 1_000;

/** Throws `VALIDATION_ERROR` that names the query parameter and the problem. */
export const refuseQuery = (path: string, message: string): never => {
  throw new WireError("VALIDATION_ERROR", {
    message: "Invalid query parameters",
    issues: [{ path, message }],
  });
};

/** Zero and empty text count as absent. */
const readAmount = (query: PageQuery, name: "limit" | "offset", max: number): number => {
  const amount = Number(query[name] ?? 0);
  if (!Number.isInteger(amount) || amount < 0 || amount > max)
    refuseQuery(name, `must be a whole number from 0 to ${max}`);
  return amount;
};

/** Returns the size and offset of a page, zero if absent. Throws `VALIDATION_ERROR`. */
export const readAmounts = (query: PageQuery): { limit: number; offset: number } => ({
  limit: readAmount(query, "limit", limitMax),
  offset: readAmount(query, "offset", Number.MAX_SAFE_INTEGER),
});

/** Returns the requested page. Throws `VALIDATION_ERROR` for an invalid limit or offset, and for a cursor of another order. */
export const readPage = <By extends string>(
  order: ListOrder<By> & PlaceType,
  query: PageQuery,
): ListPage<By> => {
  const { limit, offset } = readAmounts(query);
  const after = query.cursor ? readCursor(order, query.cursor) : undefined;
  if (query.cursor && !after) refuseQuery("cursor", "is of no list in this order");
  const { by, direction } = order;
  return {
    order: { by, direction },
    limit: limit || limitDefault,
    offset,
    ...(after && { after }),
  };
};

/** Returns the rows of a page and the cursor of the next one. Expects one row more than the limit if there are more. */
export const takePage = <Row>(
  { order, limit }: Pick<ListPage, "limit" | "order">,
  rows: readonly Row[],
  placeOf: (row: Row) => { key: string | Date | null; id: string },
): { rows: Row[]; nextCursor?: string } => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { rows: shown, ...(last && { nextCursor: writeCursor(order, placeOf(last)) }) };
};
