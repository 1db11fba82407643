import { buildIndex, type SchemaMigration } from "@latchkey/service-kit";
import { type Kysely, sql } from "kysely";
import { schema } from "./schema.ts";

/** Adds the attempts of each mail, and the invitation that a mail is about. */
export const deliveryAttemptsMigration: SchemaMigration = {
  isOutsideTransaction: true,
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("delivery_attempt")
      .ifNotExists()
      .addColumn("delivery_id", "text", (column) =>
        column.notNull().references("delivery.id").onDelete("cascade"),
      )
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("started_at", "timestamptz", (column) => column.notNull())
      .addColumn("ended_at", "timestamptz")
      .addColumn("outcome", "text")
      .addColumn("reason", "text")
      .addPrimaryKeyConstraint("delivery_attempt_pkey", ["delivery_id", "number"])
      .execute();
    await sql`
      alter table ${sql.id(schema, "delivery")} add column if not exists invitation_id text`.execute(
      db,
    );
    await buildIndex(db, {
      schema,
      name: "delivery_by_invitation_id",
      table: "delivery",
      definition: "(invitation_id, created_at, id) where invitation_id is not null",
    });
  },
};
