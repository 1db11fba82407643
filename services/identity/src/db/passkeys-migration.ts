import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

const createPasskey = (db: Kysely<any>): Promise<void> =>
  db.schema
    .createTable("passkey")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) =>
      column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("name", "text")
    .addColumn("credential_id", "bytea", (column) => column.notNull().unique())
    .addColumn("public_key", "bytea", (column) => column.notNull())
    .addColumn("counter", "bigint", (column) => column.notNull())
    .addColumn("device_type", "text", (column) => column.notNull())
    .addColumn("backed_up", "boolean", (column) => column.notNull())
    .addColumn("transports", "text")
    .addColumn("aaguid", "text", (column) => column.notNull())
    .addColumn("user_verified", "boolean", (column) => column.notNull())
    .addColumn("has_user_handle", "boolean", (column) => column.notNull().defaultTo(true))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("last_used_at", "timestamptz")
    .execute();

const createChallenge = (db: Kysely<any>): Promise<void> =>
  db.schema
    .createTable("passkey_challenge")
    .addColumn("hash", "bytea", (column) => column.primaryKey())
    .addColumn("browser_hash", "bytea", (column) => column.notNull())
    .addColumn("ceremony", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.references("user.id").onDelete("cascade"))
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .execute();

/** Adds passkeys, the handles of their users, and the challenges of the ceremonies. */
export const passkeysMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await createPasskey(db);
    await db.schema
      .createTable("passkey_user")
      .addColumn("user_id", "text", (column) =>
        column.primaryKey().references("user.id").onDelete("cascade"),
      )
      .addColumn("handle", "bytea", (column) => column.notNull().unique())
      .execute();
    await createChallenge(db);
    for (const [table, columns] of [
      ["passkey", ["user_id", "created_at"]],
      ["passkey_challenge", ["browser_hash", "created_at"]],
      ["passkey_challenge", ["expires_at"]],
      ["passkey_challenge", ["user_id"]],
    ] as const)
      await db.schema
        .createIndex(`${table}_by_${columns[0]}`)
        .on(table)
        .columns([...columns])
        .execute();
  },
};
