import {
  addOutboxTraces,
  createAuditSeals,
  createKitTables,
  inFirstRelease,
  indexAuditOrigins,
  type SchemaMigration,
  type SchemaMigrations,
} from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { deliveryUsersMigration, departedUsersMigration } from "./departed-users-migration.ts";
import { deliveryAttemptsMigration } from "./delivery-attempts-migration.ts";
import { deliveryListsMigration } from "./delivery-lists-migration.ts";
import { schema } from "./schema.ts";

const firstTables: SchemaMigration = {
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await db.schema
      .createTable("delivery")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("event_id", "text", (column) => column.notNull().unique())
      .addColumn("recipient", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("content_sealed", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("last_error", "text")
      .addColumn("lease_until", "timestamptz")
      .addColumn("created_at", "timestamptz", (column) => column.notNull())
      .addColumn("settled_at", "timestamptz")
      .execute();
    await db.schema
      .createIndex("delivery_by_created_at")
      .on("delivery")
      .columns(["created_at", "id"])
      .execute();
    await db.schema
      .createIndex("delivery_by_settled_at")
      .on("delivery")
      .column("settled_at")
      .execute();
    await db.schema
      .createIndex("delivery_by_recipient")
      .on("delivery")
      .columns(["recipient", "created_at"])
      .execute();
  },
};

/** Forward only; a migration that has shipped is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTables,
  "0002_delivery_lists": deliveryListsMigration,
  "0003_audit_seals": { unsafe: inFirstRelease, up: createAuditSeals },
  "0004_outbox_traces": { up: addOutboxTraces },
  "0005_departed_users": departedUsersMigration,
  "0006_delivery_users": deliveryUsersMigration,
  "0007_audit_origins": indexAuditOrigins(schema),
  "0008_delivery_attempts": deliveryAttemptsMigration,
};
