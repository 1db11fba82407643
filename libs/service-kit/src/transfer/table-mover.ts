import type { Transaction } from "kysely";
import type { Migration } from "kysely/migration";
import type { Settings } from "../config/settings.ts";

/** A row with every value as Postgres's text. */
export type TextRow = Readonly<Record<string, string | null>>;

/** Exports and imports the rows of a table that are stored elsewhere, at least in part. */
export interface TableMover {
  /** Reads the rows, in the transaction of the table rows. */
  read(trx: Transaction<any>): AsyncIterable<TextRow[]>;
  /** Writes rows, and returns those that belong in the table. */
  write(trx: Transaction<any>, rows: readonly TextRow[]): Promise<TextRow[]>;
  close(): Promise<void>;
}

/** The exportable data of a service: its schema. */
export interface Portable {
  migrations: Readonly<Record<string, Migration>>;
  /** Opens the movers of tables by name, for rows that the settings store elsewhere. */
  openMovers?: (settings: Settings) => Promise<Readonly<Record<string, TableMover>>>;
}
