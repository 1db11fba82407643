import { inFirstRelease, type SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import { schema } from "./schema.ts";
import { indexUsers } from "./user-indexes-migration.ts";

const extendUsers = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .alterTable("user")
    .addColumn("username", "text", (column) => column.unique())
    .addColumn("display_username", "text")
    .addColumn("role", "text")
    .addColumn("banned", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("ban_reason", "text")
    .addColumn("ban_expires", "timestamptz")
    .addColumn("extra", "jsonb", (column) => column.notNull().defaultTo(sql`'{}'`))
    .execute();
};

const createNewTables = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("verification")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("identifier", "text", (column) => column.notNull().unique())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("verification_by_expires_at")
    .on("verification")
    .column("expires_at")
    .execute();
  await db.schema.createIndex("verification_by_value").on("verification").column("value").execute();
  await db.schema
    .createTable("signing_key")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("alg", "text", (column) => column.notNull())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("private_key", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("retired_at", "timestamptz")
    .execute();
  await db.schema
    .createTable("user_epoch")
    .addColumn("user_id", "text", (column) => column.primaryKey())
    .addColumn("epoch", "bigint", (column) => column.notNull())
    .addColumn("changed_at", "timestamptz", (column) => column.notNull())
    .addColumn("transaction_id", sql`xid8`, (column) =>
      column.notNull().defaultTo(sql`pg_current_xact_id()`),
    )
    .execute();
  await db.schema
    .createIndex("user_epoch_by_transaction")
    .on("user_epoch")
    .column("transaction_id")
    .execute();
};

/** Adds usernames, roles, bans and additional fields of users, single-use tokens, signing keys and user revisions. */
export const wholeIdentityMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  up: async (db: Kysely<any>) => {
    await extendUsers(db);
    await indexUsers(db);
    await db.schema
      .alterTable("session")
      .addColumn("impersonated_by", "text")
      .addColumn("extra", "jsonb", (column) => column.notNull().defaultTo(sql`'{}'`))
      .execute();
    await createNewTables(db);
    for (const model of ["user", "session", "account", "verification"])
      await sql`create sequence ${sql.id(schema, `${model}_number`)}`.execute(db);
  },
};
