import { type Kysely, sql } from "kysely";
import type { WrittenOnce } from "../database/kit-tables.ts";

/** A row that was taken over from another database, and how the two stood to each other then. */
export interface TakenTable {
  /** The name of the other database. */
  source: WrittenOnce<string>;
  model: WrittenOnce<string>;
  /** What it is found by there. */
  key: WrittenOnce<string>;
  /** A hash of what the other database gave. */
  given: string;
  /** A hash of what became of it here: where the row has another one by now, it was changed here since. */
  kept: string;
}

/** The table of a service that takes over rows. */
export interface TakeOverTables {
  taken: TakenTable;
}

/** Creates it; called by a migration of the service. Sorted by code point, as rows of the other database are gone through. */
export const createTakenTable = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("taken")
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("key", sql`text collate "C"`, (column) => column.notNull())
    .addColumn("given", "uuid", (column) => column.notNull())
    .addColumn("kept", "uuid", (column) => column.notNull())
    .addPrimaryKeyConstraint("taken_primary_key", ["source", "model", "key"])
    .execute();
};
