import { type Kysely, sql } from "kysely";
import type { WrittenOnce } from "../database/kit-tables.ts";

/** The import record of a row, with the hashes of both sides at that time. */
export interface ImportedRowTable {
  /** The name of the other database. */
  source: WrittenOnce<string>;
  model: WrittenOnce<string>;
  /** Its key there. */
  key: WrittenOnce<string>;
  /** A hash of the other database's row. */
  given: string;
  /** A hash of the imported row. If the row has a different hash now, it was changed here since. */
  kept: string;
}

/** The table of a service that imports rows. */
export interface ImportTables {
  taken: ImportedRowTable;
}

/**
 * Creates the table. A migration of the service calls it. Sorted by code point, in the order in which the other database's rows
 * are read.
 */
export const createImportedRowTable = async (db: Kysely<any>): Promise<void> => {
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
