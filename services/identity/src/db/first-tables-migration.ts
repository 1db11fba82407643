import { createKitTables, type SchemaMigration } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";

/** Creates the tables of users, accounts and sessions. */
export const firstTablesMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await db.schema
      .createTable("user")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("email", "text", (column) => column.notNull().unique())
      .addColumn("email_verified", "boolean", (column) => column.notNull())
      .addColumn("image", "text")
      .addColumn("revision", "bigint", (column) => column.notNull().defaultTo(1))
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .addCheckConstraint("user_email_is_lower_case", sql`email = lower(email)`)
      .execute();
    await db.schema
      .createTable("account")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) =>
        column.notNull().references("user.id").onDelete("cascade"),
      )
      .addColumn("provider_id", "text", (column) => column.notNull())
      .addColumn("account_id", "text", (column) => column.notNull())
      .addColumn("password", "text")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .addUniqueConstraint("account_of_provider", ["provider_id", "account_id"])
      .execute();
    await db.schema
      .createIndex("account_by_user")
      .on("account")
      .columns(["user_id", "provider_id"])
      .execute();
    await db.schema
      .createTable("session")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("token_hash", "bytea", (column) => column.notNull().unique())
      .addColumn("token_sealed", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) =>
        column.notNull().references("user.id").onDelete("cascade"),
      )
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("updated_at", "timestamptz", (column) => column.notNull())
      .addColumn("ip_address", "text", (column) => column.notNull())
      .addColumn("user_agent", "text", (column) => column.notNull())
      .addColumn("revoked_at", "timestamptz")
      .execute();
    await db.schema
      .createIndex("session_by_user")
      .on("session")
      .columns(["user_id", "created_at"])
      .execute();
    await db.schema
      .createIndex("session_by_expires_at")
      .on("session")
      .column("expires_at")
      .execute();
  },
};
