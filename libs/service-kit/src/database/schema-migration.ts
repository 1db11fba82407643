import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A schema migration. It only adds, and is safe while the previous version serves. A check runs each migration to verify this. */
export interface SchemaMigration extends Migration {
  /**
   * Justifies a statement that the check of migrations rejects because it may block readers or writers, or break the previous
   * version. Must hold for the largest installation.
   */
  unsafe?: string;
  /**
   * Runs without a transaction, as concurrent index builds require. An interrupted migration is repeated, so each of its
   * statements must be safe to repeat.
   */
  isOutsideTransaction?: boolean;
}

/** Justifies unsafe statements in a migration of the first release, and in no later one. */
export const inFirstRelease =
  "part of the first release: no version before it serves, and no installation has rows when it runs";

/** Migrations by name, applied in the order of their names. */
export type SchemaMigrations = Readonly<Record<string, SchemaMigration>>;

/** The database handle of migrations. They change the schema, so no row types apply. */
export type MigratedDatabase = Kysely<any>;
