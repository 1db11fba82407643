import type { Column } from "../rows/columns.ts";
import type { Condition } from "../rows/read-condition.ts";

/** Ties go by id in the same direction; who has no value comes last in either. */
export interface ListOrder {
  column: Column;
  direction: "asc" | "desc";
}

/** The place of a row in an order: its key as the database writes it, and its id. */
export interface ListPlace {
  key: string | null;
  id: string;
}

/** Which users, from where on, and how many. */
export interface ListRange {
  /** All of them must be fit. */
  conditions: readonly Condition[];
  order: ListOrder;
  after: ListPlace | undefined;
  offset: number;
  limit: number;
}
