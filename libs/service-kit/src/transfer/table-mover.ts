import type { Transaction } from "kysely";
import type { Migration } from "kysely/migration";
import type { Settings } from "../config/settings.ts";

/** A row, every value as the text that Postgres writes. */
export type TextRow = Readonly<Record<string, string | null>>;

/** Moves the rows of a table that do not, or not all, lie in it. */
export interface TableMover {
  /** The rows that there are, in the transaction of those that lie in tables. */
  read(trx: Transaction<any>): AsyncIterable<TextRow[]>;
  /** Gives those that belong into the table after all. */
  write(trx: Transaction<any>, rows: readonly TextRow[]): Promise<TextRow[]>;
  close(): Promise<void>;
}

/** What a service lets be carried to another place: its schema. */
export interface Portable {
  migrations: Readonly<Record<string, Migration>>;
  /** Those that move the rows of a table otherwise, by its name, as the settings of the service have it. */
  openMovers?: (settings: Settings) => Promise<Readonly<Record<string, TableMover>>>;
}
