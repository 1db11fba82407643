import type { SchemaMigration } from "@latchkey/service-kit";
import type { Kysely } from "kysely";

/** Adds bans of inviters and the user who opened an invitation by its mail. Both decide whether an invitation is void. */
export const voidInvitationsMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("invitation").addColumn("opened_by", "text").execute();
    await db.schema
      .createTable("banned_user")
      .addColumn("user_id", "text", (column) => column.primaryKey())
      .addColumn("revision", "bigint", (column) => column.notNull())
      .addColumn("banned", "boolean", (column) => column.notNull())
      .addColumn("banned_until", "timestamptz")
      .execute();
  },
};
