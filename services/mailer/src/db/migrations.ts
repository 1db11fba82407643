import {
  addOutboxTraces,
  buildIndex,
  createAuditSeals,
  createKitTables,
  indexAuditOrigins,
  inFirstRelease,
  type SchemaMigration,
  type SchemaMigrations,
  trigramOperators,
} from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./tables.ts";

/** Adds a mail's user, the end of its link by the database's clock, and recently deleted users. */
const departedUsersMigration: SchemaMigration = {
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("delivery")
      .addColumn("user_id", "text")
      .addColumn("send_before", "timestamptz")
      .execute();
    await db.schema
      .createTable("departed_user")
      .addColumn("user_id", "text", (column) => column.primaryKey())
      .addColumn("address_mac", "text")
      .addColumn("departed_at", "timestamptz", (column) => column.notNull())
      .execute();
    for (const column of ["address_mac", "departed_at"])
      await db.schema
        .createIndex(`departed_user_by_${column}`)
        .on("departed_user")
        .column(column)
        .execute();
  },
};

/** Adds the index of mails by user. */
const deliveryUsersMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "delivery_by_user_id",
      table: "delivery",
      definition: "(user_id) where user_id is not null",
    }),
};

/** Adds the attempts of each mail, and the invitation that a mail is about. */
const deliveryAttemptsMigration: SchemaMigration = {
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

const delivery = sql.id(schema, "delivery");

/**
 * Adds indexes that make lists of a million mails as fast as those of a few. Addresses are ordered by code point, so that an
 * index serves prefixes.
 */
const indexDeliveries = async (db: Kysely<any>): Promise<void> => {
  const recipient = sql`lower(recipient)`;
  await sql`
    create index delivery_by_state on ${delivery} (state, created_at, id)`.execute(db);
  await sql`
    create index delivery_by_lower_recipient on ${delivery}
    ((${recipient} collate "C"), created_at, id)`.execute(db);
  await sql`
    create index delivery_recipient_trigrams on ${delivery}
    using gin ((${recipient}) collate "C" ${await trigramOperators(db)}) with (gin_pending_list_limit = 64)`.execute(
    db,
  );
  // Raises the statistics target of the addresses, by which the planner estimates the matches of a term.
  await sql`
    alter index ${sql.id(schema, "delivery_recipient_trigrams")} alter column 1 set statistics 1000`.execute(
    db,
  );
  await sql`drop index ${sql.id(schema, "delivery_by_recipient")}`.execute(db);
};

/** Mails are deleted 30 days after they are settled. Their counts remain. */
const countDeliveries = async (db: Kysely<any>): Promise<void> => {
  const day = sql.id(schema, "delivery_day");
  await db.schema
    .createTable("delivery_day")
    .addColumn("day", "date", (column) => column.primaryKey())
    .addColumn("sent", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("failed", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("captured", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    insert into ${day} (day, sent, failed, captured)
    select (settled_at at time zone 'UTC')::date,
      count(*) filter (where state = 'sent'),
      count(*) filter (where state = 'failed'),
      count(*) filter (where state = 'captured')
    from ${delivery} where settled_at is not null group by 1`.execute(db);
};

/** Adds what admins need to search, page and count mails, and the columns of their retries. */
const deliveryListsMigration: SchemaMigration = {
  unsafe: inFirstRelease,
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("delivery")
      .addColumn("event", "text")
      .addColumn("attempts_forgiven", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await indexDeliveries(db);
    await countDeliveries(db);
  },
};

/** Finds the mails that are due among a million others. */
const dueDeliveriesMigration: SchemaMigration = {
  isOutsideTransaction: true,
  up: (db) =>
    buildIndex(db, {
      schema,
      name: "delivery_due",
      table: "delivery",
      definition: "(lease_until, created_at) where state in ('queued', 'sending', 'retrying')",
    }),
};

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

/** Adds text messages. */
const textMessagesMigration: SchemaMigration = {
  // Migrations change the schema, so no row types apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("delivery")
      .addColumn("channel", "text", (column) => column.notNull().defaultTo("mail"))
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
  "0009_due_deliveries": dueDeliveriesMigration,
  "0010_text_messages": textMessagesMigration,
};
