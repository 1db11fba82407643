import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A step of a schema. It only adds, and is safe while the version before serves: that is checked, by running each. */
export interface SchemaMigration extends Migration {
  /**
   * Why it may do what the check of migrations refuses: what would hold up whoever reads or writes, or break the version
   * before. To be true of the largest installation.
   */
  unsafe?: string;
  /**
   * Runs statement by statement, because some cannot be in a transaction: indexes are built beside writers so. One that broke
   * off is run anew, so each of its statements must be safe to repeat.
   */
  isOutsideTransaction?: boolean;
}

/** Why a migration of the first release may be unsafe; it is no reason for any that came later. */
export const inFirstRelease =
  "part of the first release: no version before it serves, and no installation has rows when it runs";

/** Migrations by name, in whose order they are applied. */
export type SchemaMigrations = Readonly<Record<string, SchemaMigration>>;

/** What migrations run on: they change the shape itself, so no row types hold here. */
export type MigratedDatabase = Kysely<any>;
