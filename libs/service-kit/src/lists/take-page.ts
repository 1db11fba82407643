import { writeCursor } from "./list-cursor.ts";
import type { ListPage } from "./read-page.ts";

/** Totals are exact up to here; count one more to know that there are more. */
export const exactTotalMax = 10_000;

/** The rows of a page, of which one more than its limit was asked for, and where the next one starts. */
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
