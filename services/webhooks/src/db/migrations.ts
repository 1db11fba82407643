import {
  addOutboxTraces,
  buildIndex,
  createAuditSeals,
  createKitTables,
  indexAuditOrigins,
  type SchemaMigration,
  type SchemaMigrations,
} from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./tables.ts";

const createEndpoints = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("endpoint")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("events", sql`text[]`, (column) => column.notNull())
    .addColumn("organization_id", "text")
    .addColumn("contact_email", "text", (column) => column.notNull())
    .addColumn("contact_name", "text", (column) => column.notNull())
    .addColumn("secret_sealed", "text", (column) => column.notNull())
    .addColumn("former_secret_sealed", "text")
    .addColumn("former_secret_until", "timestamptz")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("state_reason", "text")
    .addColumn("failing_since", "timestamptz")
    .addColumn("failure_count", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("rest_until", "timestamptz")
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
  for (const [name, lead] of [
    ["created_at", ""],
    ["organization", "organization_id, "],
    ["state", "state, "],
  ])
    await sql`
      create index ${sql.raw(`endpoint_by_${name}`)} on ${sql.id(schema, "endpoint")}
      (${sql.raw(lead ?? "")}created_at, id)`.execute(db);
  await db.schema
    .createTable("endpoint_hour")
    .addColumn("endpoint_id", "text", (column) => column.notNull())
    .addColumn("hour", "timestamptz", (column) => column.notNull())
    .addColumn("delivered", "bigint", (column) => column.notNull())
    .addColumn("failed_attempts", "bigint", (column) => column.notNull())
    .addColumn("answered", "bigint", (column) => column.notNull())
    .addColumn("total_milliseconds", "bigint", (column) => column.notNull())
    .addColumn("max_milliseconds", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("endpoint_hour_pkey", ["endpoint_id", "hour"])
    .execute();
};

const createEvents = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("event")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("sequence", "bigint", (column) =>
      column.notNull().generatedAlwaysAsIdentity().unique(),
    )
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("subject_kind", "text", (column) => column.notNull())
    .addColumn("subject_id", "text", (column) => column.notNull())
    .addColumn("organization_id", "text")
    .addColumn("occurred_at", "timestamptz", (column) => column.notNull())
    .addColumn("recorded_at", "timestamptz", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("event_by_recorded_at").on("event").column("recorded_at").execute();
  await db.schema
    .createIndex("event_by_subject")
    .on("event")
    .columns(["subject_id", "sequence"])
    .execute();
  await db.schema
    .createIndex("event_by_occurred_at")
    .on("event")
    .columns(["occurred_at", "sequence"])
    .execute();
};

/**
 * Rows refer to endpoints without a constraint, because the deletion of an endpoint with a million deliveries must not lock them. The sweep
 * deletes what is left.
 */
const createDeliveries = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("delivery")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("sequence", "bigint", (column) => column.notNull().generatedAlwaysAsIdentity())
    .addColumn("endpoint_id", "text", (column) => column.notNull())
    .addColumn("event_id", "text", (column) => column.notNull())
    .addColumn("event_type", "text", (column) => column.notNull())
    .addColumn("subject_kind", "text", (column) => column.notNull())
    .addColumn("subject_id", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("last_status", "integer")
    .addColumn("last_error", "text")
    .addColumn("retry_until", "timestamptz")
    .addColumn("is_replay", "boolean", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("settled_at", "timestamptz")
    .execute();
  await sql`
    create index delivery_pending on ${sql.id(schema, "delivery")}
    (endpoint_id, (subject_kind || ':' || subject_id), sequence) where state = 'pending'`.execute(
    db,
  );
  for (const [name, lead] of [
    ["created_at", ""],
    ["endpoint", "endpoint_id, "],
    ["state", "state, "],
    ["subject", "subject_id, "],
    ["event", "event_id, "],
  ])
    await sql`
      create index ${sql.raw(`delivery_by_${name}`)} on ${sql.id(schema, "delivery")}
      (${sql.raw(lead ?? "")}created_at, id)`.execute(db);
  await db.schema
    .createTable("attempt")
    .addColumn("delivery_id", "text", (column) =>
      column.notNull().references("delivery.id").onDelete("cascade"),
    )
    .addColumn("number", "integer", (column) => column.notNull())
    .addColumn("started_at", "timestamptz", (column) => column.notNull())
    .addColumn("duration_milliseconds", "integer", (column) => column.notNull())
    .addColumn("status", "integer")
    .addColumn("response", "text")
    .addColumn("error", "text")
    .addPrimaryKeyConstraint("attempt_pkey", ["delivery_id", "number"])
    .execute();
};

const createLanes = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("lane")
    .addColumn("endpoint_id", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("pending", "integer", (column) => column.notNull())
    .addColumn("due_at", "timestamptz", (column) => column.notNull())
    .addColumn("lease_until", "timestamptz")
    .addColumn("claim", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("lane_pkey", ["endpoint_id", "subject"])
    .execute();
  await db.schema
    .createIndex("lane_by_due_at")
    .on("lane")
    .columns(["endpoint_id", "due_at"])
    .execute();
};

const firstTables: SchemaMigration = {
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await createAuditSeals(db);
    await addOutboxTraces(db);
    await createEndpoints(db);
    await createEvents(db);
    await createDeliveries(db);
    await createLanes(db);
  },
};

/** Names the user of a contact, so that the deletion of the user finds it. */
const contactUsers: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("endpoint").addColumn("contact_user_id", "text").execute();
  },
};

/** Finds the failed deliveries of an endpoint among a million others. */
const failedDeliveries: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "delivery_failed",
      table: "delivery",
      definition: "(endpoint_id, sequence) where state = 'failed'",
    }),
};

/**
 * Tells the webhooks of members from those that an admin limits to an organization. The creators of existing ones are not known, so all of
 * organizations count as of members. It means nothing without an organization.
 */
const memberWebhooks: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("endpoint")
      .addColumn("by_members", "boolean", (column) => column.notNull().defaultTo(true))
      .execute();
  },
};

/** Names the endpoints of which rows are left, so that no search for such rows is needed. */
const deletedEndpoints: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("deleted_endpoint")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("deleted_at", "timestamptz", (column) => column.notNull())
      .execute();
    await sql`
      insert into ${sql.id(schema, "deleted_endpoint")} (id, deleted_at)
      select distinct endpoint_id, now() from ${sql.id(schema, "endpoint_hour")}
      where not exists (select from ${sql.id(schema, "endpoint")} where id = endpoint_id)`.execute(
      db,
    );
  },
};

/** Tells proven endpoints from new ones, and shows the last attempts in lists. */
const lastAttempts: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("endpoint")
      .addColumn("last_success_at", "timestamptz")
      .addColumn("last_failure_at", "timestamptz")
      .execute();
  },
};

/** Counts the mails to a contact, so that no number of failing endpoints floods a mailbox. */
const contactMails: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("contact_mail")
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("day", "date", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("contact_mail_pkey", ["user_id", "day"])
      .execute();
  },
};

/** Finds the endpoints of a contact whose address changes, who leaves or is deleted. */
const contactEndpoints: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "endpoint_by_contact_user",
      table: "endpoint",
      definition: "(contact_user_id) where contact_user_id is not null",
    }),
};

/** Finds the newest events of a rare type among a million others. */
const eventsByType: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "event_by_type",
      table: "event",
      definition: "(type, sequence)",
    }),
};

/** Forward only; a migration that has shipped is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTables,
  "0002_audit_origins": indexAuditOrigins(schema),
  "0003_contact_users": contactUsers,
  "0004_failed_deliveries": failedDeliveries,
  "0005_member_webhooks": memberWebhooks,
  "0006_deleted_endpoints": deletedEndpoints,
  "0007_last_attempts": lastAttempts,
  "0008_contact_mails": contactMails,
  "0009_contact_endpoints": contactEndpoints,
  "0010_events_by_type": eventsByType,
};
