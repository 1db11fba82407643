import type { ColumnType, Generated, JSONColumnType, Kysely } from "kysely";
import { sql } from "kysely";

/** A column that an insert sets and no update changes. */
export type WrittenOnce<T> = ColumnType<T, T, never>;

/** An event that is not yet known to have been consumed by all. */
export interface OutboxTable {
  id: WrittenOnce<string>;
  name: WrittenOnce<string>;
  version: WrittenOnce<number>;
  occurredAt: WrittenOnce<Date>;
  /** JSON text, or sealed JSON text where the catalogue says so. */
  data: WrittenOnce<string>;
  /** When the relay last handed it to the bus; null before. */
  publishedAt: ColumnType<Date | null, null | undefined, Date | null>;
}

/** An event whose effect a consumer of this service has had. */
export interface InboxTable {
  eventId: WrittenOnce<string>;
  consumer: WrittenOnce<string>;
  doneAt: WrittenOnce<Date>;
}

/** Who did what to whom. Rows are only ever inserted. */
export interface AuditTable {
  id: Generated<number>;
  occurredAt: WrittenOnce<Date>;
  actorKind: WrittenOnce<string>;
  actorId: WrittenOnce<string | null>;
  subjectKind: WrittenOnce<string>;
  subjectId: WrittenOnce<string>;
  action: WrittenOnce<string>;
  outcome: WrittenOnce<string>;
  address: WrittenOnce<string>;
  requestId: WrittenOnce<string>;
  before: JSONColumnType<Record<string, unknown> | null, string | null, never>;
  after: JSONColumnType<Record<string, unknown> | null, string | null, never>;
}

/** The tables that every service's schema has. */
export interface KitTables {
  outbox: OutboxTable;
  inbox: InboxTable;
  audit: AuditTable;
}

/** Creates the tables of `KitTables`; called by a service's first migration. */
export const createKitTables = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("outbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("version", "integer", (column) => column.notNull())
    .addColumn("occurred_at", "timestamptz", (column) => column.notNull())
    .addColumn("data", "text", (column) => column.notNull())
    .addColumn("published_at", "timestamptz")
    .execute();
  await db.schema
    .createIndex("outbox_by_published_at")
    .on("outbox")
    .expression(sql`published_at nulls first, occurred_at`)
    .execute();
  await db.schema
    .createTable("inbox")
    .addColumn("event_id", "text", (column) => column.notNull())
    .addColumn("consumer", "text", (column) => column.notNull())
    .addColumn("done_at", "timestamptz", (column) => column.notNull())
    .addPrimaryKeyConstraint("inbox_primary_key", ["event_id", "consumer"])
    .execute();
  await db.schema.createIndex("inbox_by_done_at").on("inbox").column("done_at").execute();
  await db.schema
    .createTable("audit")
    .addColumn("id", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn("occurred_at", "timestamptz", (column) => column.notNull())
    .addColumn("actor_kind", "text", (column) => column.notNull())
    .addColumn("actor_id", "text")
    .addColumn("subject_kind", "text", (column) => column.notNull())
    .addColumn("subject_id", "text", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .addColumn("before", "jsonb")
    .addColumn("after", "jsonb")
    .execute();
  await db.schema
    .createIndex("audit_by_subject")
    .on("audit")
    .columns(["subject_kind", "subject_id", "id"])
    .execute();
};
