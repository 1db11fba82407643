import type { Column } from "../rows/columns.ts";
import type { Condition } from "../rows/read-condition.ts";

/** Ties are ordered by id in the same direction. Users without a value come last in either. */
export interface ListOrder {
  column: Column;
  direction: "asc" | "desc";
}

/** The position of a row in an order: its key as the database writes it, and its id. */
export interface ListPlace {
  key: string | null;
  id: string;
}

/** The range of users to list. */
export interface ListRange {
  /** A user must match all of them. */
  conditions: readonly Condition[];
  order: ListOrder;
  after: ListPlace | undefined;
  offset: number;
  limit: number;
}
