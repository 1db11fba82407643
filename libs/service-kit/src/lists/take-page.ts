import { writeCursor } from "./list-cursor.ts";
import type { ListPage } from "./read-page.ts";

/** Totals are exact up to this number. Count one more to detect larger ones. */
export const exactTotalMax = 10_000;

/** Returns the rows of a page and the cursor of the next one. Expects one row more than the limit if there are more. */
export const takePage = <Row extends { id: string }>(
  { order, limit }: Pick<ListPage, "limit" | "order">,
  rows: readonly Row[],
  keyOf: (row: Row) => string | Date,
): { shown: Row[]; nextCursor?: string } => {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    shown,
    ...(last && { nextCursor: writeCursor(order, { key: keyOf(last), id: last.id }) }),
  };
};
