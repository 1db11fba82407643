import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { CreateTableBuilder, Kysely } from "kysely";

const withUser = <Name extends string>(table: CreateTableBuilder<Name>) =>
  table.addColumn("user_id", "text", (column) =>
    column.notNull().references("user.id").onDelete("cascade"),
  );

/** Adds second factors, backup codes, trusted devices, and sign-ins that wait for a second factor with their mailed codes. */
export const secondFactorMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await withUser(db.schema.createTable("two_factor"))
      .addColumn("secret_sealed", "text")
      .addColumn("sealed_by", "text")
      .addColumn("issuer", "text")
      .addColumn("pending_sealed", "text")
      .addColumn("pending_issuer", "text")
      .addColumn("pending_expires_at", "timestamptz")
      .addColumn("last_step", "bigint", (column) => column.notNull().defaultTo(-1))
      .addColumn("failed_count", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("locked_until", "timestamptz")
      .addColumn("lock_notified_at", "timestamptz")
      .addColumn("password_reset_at", "timestamptz")
      .addColumn("enabled_at", "timestamptz")
      .addPrimaryKeyConstraint("two_factor_pkey", ["user_id"])
      .execute();
    await withUser(db.schema.createTable("backup_code"))
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("code_sealed", "text", (column) => column.notNull())
      .addColumn("sealed_by", "text", (column) => column.notNull())
      .addColumn("is_pending", "boolean", (column) => column.notNull().defaultTo(false))
      .addColumn("is_case_sensitive", "boolean", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .execute();
    await withUser(db.schema.createTable("trusted_device"))
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("token_hash", "bytea", (column) => column.notNull().unique())
      .addColumn("passed_at", "timestamptz", (column) => column.notNull())
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("last_used_at", "timestamptz", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .addColumn("ip_address", "text", (column) => column.notNull())
      .addColumn("user_agent", "text", (column) => column.notNull())
      .execute();
    await withUser(db.schema.createTable("sign_in_challenge"))
      .addColumn("token_hash", "bytea", (column) => column.primaryKey())
      .addColumn("purpose", "text", (column) => column.notNull())
      .addColumn("method", "text", (column) => column.notNull())
      .addColumn("remember", "boolean", (column) => column.notNull())
      .addColumn("tries", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("passed_at", "timestamptz")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .execute();
    await withUser(db.schema.createTable("two_factor_code"))
      .addColumn("subject", "text", (column) => column.primaryKey())
      .addColumn("code_mac", "text", (column) => column.notNull())
      .addColumn("tries", "integer", (column) => column.notNull())
      .addColumn("expires_at", "timestamptz", (column) => column.notNull())
      .execute();
    const ofUser = ["backup_code", "trusted_device", "sign_in_challenge", "two_factor_code"];
    for (const table of ofUser)
      await db.schema.createIndex(`${table}_by_user`).on(table).column("user_id").execute();
    for (const table of ofUser.slice(1))
      await db.schema
        .createIndex(`${table}_by_expires_at`)
        .on(table)
        .column("expires_at")
        .execute();
  },
};
