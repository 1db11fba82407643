import type { SchemaMigration } from "@latchkey/service-kit/database";
import type { Kysely } from "kysely";

const createRefusedSignIn = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("refused_sign_in")
    .addColumn("id", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn("user_id", "text", (column) =>
      column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("day", "date", (column) => column.notNull())
    .addColumn("ip_address", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("count", "bigint", (column) => column.notNull())
    .addColumn("first_at", "timestamptz", (column) => column.notNull())
    .addColumn("last_at", "timestamptz", (column) => column.notNull())
    .addUniqueConstraint("refused_sign_in_once", ["user_id", "day", "ip_address", "reason"])
    .execute();
  for (const [name, columns] of [
    ["refused_sign_in_by_user", ["user_id", "last_at", "id"]],
    ["refused_sign_in_by_last_at", ["last_at", "id"]],
  ] as const)
    await db.schema
      .createIndex(name)
      .on("refused_sign_in")
      .columns([...columns])
      .execute();
};

/** Adds refused and last sign-ins of each user, and passwords that an admin has ended. */
export const refusedSignInsMigration: SchemaMigration = {
  // Migrations change the schema itself, so the row types do not apply here.
  up: async (db: Kysely<any>) => {
    await createRefusedSignIn(db);
    await db.schema
      .createTable("last_sign_in")
      .addColumn("user_id", "text", (column) =>
        column.primaryKey().references("user.id").onDelete("cascade"),
      )
      .addColumn("signed_in_at", "timestamptz", (column) => column.notNull())
      .addColumn("methods", "text", (column) => column.notNull())
      .addColumn("ip_address", "text", (column) => column.notNull())
      .addColumn("user_agent", "text", (column) => column.notNull())
      .execute();
    await db.schema.alterTable("account").addColumn("reset_required_at", "timestamptz").execute();
  },
};
