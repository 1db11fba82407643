import type { ColumnType, Generated, JSONColumnType, Kysely } from "kysely";
import { sql } from "kysely";
import { buildIndex } from "./build-index.ts";
import type { SchemaMigration } from "./schema-migration.ts";

/** A column that an insert sets and no update changes. */
export type WrittenOnce<T> = ColumnType<T, T, never>;

/** An event that is not known to be consumed by all consumers yet. */
export interface OutboxTable {
  id: WrittenOnce<string>;
  name: WrittenOnce<string>;
  version: WrittenOnce<number>;
  occurredAt: WrittenOnce<Date>;
  /** JSON text, or encrypted JSON text if the catalogue says so. */
  data: WrittenOnce<string>;
  /** Time of the relay's last publication to the bus, or null before. */
  publishedAt: ColumnType<Date | null, null | undefined, Date | null>;
  /** The span of the writer, which consumers continue. */
  traceparent: ColumnType<string | null, string | null | undefined, never>;
}

/** An event that a consumer of this service has processed. */
export interface InboxTable {
  eventId: WrittenOnce<string>;
  consumer: WrittenOnce<string>;
  doneAt: WrittenOnce<Date>;
}

/** Audit entries. Rows are only inserted, and pruned from the beginning of the chain. */
export interface AuditTable {
  id: Generated<number>;
  /** In milliseconds, like the service's clock, so that a cursor identifies a row's exact place. */
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

/** The chain: each audit row once, in sealing order, with the hash of everything up to it. Deleted together with its row. */
export interface AuditSealTable {
  /** Starts at 1, without gaps. */
  position: WrittenOnce<number>;
  auditId: WrittenOnce<number>;
  hash: WrittenOnce<Buffer>;
}

/** A signed hash of the chain at a position. Rows are only inserted, and deleted with the seals up to there. */
export interface AuditCheckpointTable {
  position: WrittenOnce<number>;
  hash: WrittenOnce<Buffer>;
  sealedAt: WrittenOnce<Date>;
  signature: WrittenOnce<Buffer>;
}

/** The signed start of a pruned chain; the highest position counts. Rows are only inserted. */
export type AuditStartTable = AuditCheckpointTable;

/** Ids that were skipped. Their rows may still be committed while a writer of that time is active. */
export interface AuditGapTable {
  firstId: WrittenOnce<number>;
  lastId: WrittenOnce<number>;
  /** Virtual ids of the transactions that were writing audit rows. */
  writers: WrittenOnce<string[]>;
}

/** The position in the chain up to which audit entries were read for events. One row, in services that record events. */
export interface EventFeedTable {
  /** Always 1. */
  id: WrittenOnce<number>;
  position: number;
  /** The last message with events, or null before the first. */
  lastEventId: string | null;
}

export interface KitTables {
  outbox: OutboxTable;
  inbox: InboxTable;
  audit: AuditTable;
  auditSeal: AuditSealTable;
  auditCheckpoint: AuditCheckpointTable;
  auditStart: AuditStartTable;
  auditGap: AuditGapTable;
}

/** The tables of a service whose changes are events for applications. */
export interface FeedingTables extends KitTables {
  eventFeed: EventFeedTable;
}

/** Creates the tables of `KitTables`. A service's first migration calls it. */
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

const createAuditChain = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("audit_seal")
    .addColumn("position", "bigint", (column) => column.primaryKey().check(sql`position > 0`))
    .addColumn("audit_id", "bigint", (column) => column.notNull().unique())
    .addColumn("hash", "bytea", (column) => column.notNull())
    .execute();
  for (const signed of ["audit_checkpoint", "audit_start"])
    await db.schema
      .createTable(signed)
      .addColumn("position", "bigint", (column) => column.primaryKey().check(sql`position > 0`))
      .addColumn("hash", "bytea", (column) => column.notNull())
      // In milliseconds, because the signature covers the time in that resolution.
      .addColumn("sealed_at", sql`timestamptz(3)`, (column) => column.notNull())
      .addColumn("signature", "bytea", (column) => column.notNull())
      .execute();
  await db.schema
    .createTable("audit_gap")
    .addColumn("first_id", "bigint", (column) => column.primaryKey())
    .addColumn("last_id", "bigint", (column) => column.notNull())
    .addColumn("writers", sql`text[]`, (column) => column.notNull())
    .execute();
};

/**
 * Creates the indexes of audit lists. Each begins with a filter column and continues in the list's order. An index orders
 * actions by code point, so that it serves prefixes. Rows stay unchanged. Writers of audit rows wait while the indexes are
 * built.
 */
const indexAudit = async (db: Kysely<any>): Promise<void> => {
  const kind = [sql`action collate "C"`, sql`outcome`];
  const leads = {
    audit_by_occurred_at: [],
    audit_by_action: kind,
    audit_by_actor: [sql`actor_id`, ...kind],
    audit_by_subject_id: [sql`subject_id`, ...kind],
  };
  for (const [name, lead] of Object.entries(leads))
    await db.schema
      .createIndex(name)
      .on("audit")
      .expression(sql.join([...lead, sql`occurred_at`, sql`id`]))
      .execute();
  await db.schema
    .createIndex("audit_refused")
    .on("audit")
    .columns(["occurred_at", "id"])
    .where(sql<boolean>`outcome = 'refused'`)
    .execute();
  await db.schema.dropIndex("audit_by_subject").execute();
};

/** Adds the chain of audit rows and the indexes of audit lists. A later migration calls it. */
export const createAuditSeals = async (db: Kysely<any>): Promise<void> => {
  await createAuditChain(db);
  await indexAudit(db);
};

/** Returns the migration that adds the indexes of audit lists by client address and by request. */
export const indexAuditOrigins = (schema: string): SchemaMigration => ({
  isOutsideTransaction: true,
  up: async (db) => {
    const leads = { address: `address, action collate "C", outcome`, request: "request_id" };
    for (const [name, lead] of Object.entries(leads))
      await buildIndex(db, {
        schema,
        name: `audit_by_${name}`,
        table: "audit",
        definition: `(${lead}, occurred_at, id)`,
      });
  },
});

/** Adds an event's trace. A later migration calls it. Writers of the previous version leave it empty. */
export const addOutboxTraces = async (db: Kysely<any>): Promise<void> => {
  await db.schema.alterTable("outbox").addColumn("traceparent", "text").execute();
};

/**
 * Returns the migration that begins to record events at the end of the chain, so that an upgraded installation does not report its whole
 * past. A new one gets no row, because an installation is imported into empty tables.
 */
export const startEventFeed = (schema: string): SchemaMigration => ({
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("event_feed")
      .addColumn("id", "integer", (column) => column.primaryKey().check(sql`id = 1`))
      .addColumn("position", "bigint", (column) => column.notNull())
      .addColumn("last_event_id", "text")
      .execute();
    await sql`
      insert into ${sql.id(schema, "event_feed")} (id, position)
      select 1, max(position) from ${sql.id(schema, "audit_seal")} having max(position) is not null`.execute(
      db,
    );
  },
});
