import {
  addOutboxTraces,
  createAuditSeals,
  createKitTables,
  indexAuditOrigins,
  inFirstRelease,
  type SchemaMigration,
  type SchemaMigrations,
  startEventFeed,
} from "@latchkey/service-kit/database";
import { createMergeTable } from "@latchkey/service-kit/merges";
import { createImportedRowTable } from "@latchkey/service-kit/import";
import { type Kysely, sql } from "kysely";
import {
  keyCreatorsMigration,
  keySuccessorsMigration,
  organizationKeysMigration,
} from "./organization-keys-migration.ts";
import { schema } from "./tables.ts";

/** Adds daily totals over all keys, so that no query sums up a million rows per day. */
export const usageTotalMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("usage_total")
      .addColumn("day", "date", (column) => column.primaryKey())
      .addColumn("valid", "bigint", (column) => column.notNull())
      .addColumn("refused", "bigint", (column) => column.notNull())
      .execute();
    await sql`
      insert into ${sql.id(schema, "usage_total")} (day, valid, refused)
      select day, sum(valid), sum(rate_limited + exhausted + expired + disabled + forbidden)
      from ${sql.id(schema, "key_usage")}
      group by day`.execute(db);
  },
};

/** With this collation an index serves prefix searches and does not depend on the machine's locale. */
const byCodePoint = sql`text collate "C"`;
/** Clients see milliseconds, so that a cursor identifies the exact position of a row. */
const toMillisecond = sql`timestamptz(3)`;

const times = ["last_refill_at", "last_request", "expires_at", "created_at", "updated_at"];

/** Restricts times to the years that replies can carry. */
const isReadable = (column: string) =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} between '0001-01-01Z' and '9999-12-31Z')`;

const createApiKey = async (db: Kysely<any>) => {
  await db.schema
    .createTable("api_key")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text")
    .addColumn("start", byCodePoint)
    .addColumn("prefix", byCodePoint)
    .addColumn("key", "text", (column) => column.notNull().unique())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("refill_interval", "integer")
    .addColumn("refill_amount", "integer")
    .addColumn("last_refill_at", "timestamptz")
    .addColumn("enabled", "boolean", (column) => column.notNull().defaultTo(true))
    .addColumn("disabled_by_admin", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("rate_limit_enabled", "boolean", (column) => column.notNull().defaultTo(true))
    .addColumn("rate_limit_time_window", "bigint")
    .addColumn("rate_limit_max", "integer")
    .addColumn("request_count", "bigint", (column) => column.notNull().defaultTo(0))
    .addColumn("remaining", "integer", (column) => column.check(sql`remaining >= 0`))
    .addColumn("last_request", "timestamptz")
    .addColumn("expires_at", "timestamptz")
    .addColumn("created_at", toMillisecond, (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .addColumn("permissions", "jsonb")
    .addColumn("metadata", "text")
    // Applications may write through a view. Without these checks, an unreadable row would fail every request that returns it.
    .addCheckConstraint(
      "api_key_refill",
      sql`refill_interval between 1 and 36500 and refill_amount > 0`,
    )
    .addCheckConstraint(
      "api_key_rate_limit",
      sql`rate_limit_time_window between 1 and 31536000000 and rate_limit_max > 0`,
    )
    .addCheckConstraint("api_key_times", sql`${sql.join(times.map(isReadable), sql` and `)}`)
    .addCheckConstraint(
      "api_key_permissions",
      sql`jsonb_typeof(permissions) = 'object'
        and not jsonb_path_exists(permissions, 'strict $.* ? (@.type() != "array")')
        and not jsonb_path_exists(permissions, 'lax $.*[*] ? (@.type() != "string")')`,
    )
    .execute();
  // Every use updates the row. Free space on its page allows heap-only updates, which do not touch the indexes.
  await sql`alter table ${sql.table(`${schema}.api_key`)} set (fillfactor = 70)`.execute(db);
};

const createApiKeyIndexes = async (db: Kysely<any>) => {
  const orders = {
    api_key_by_user: ["user_id", "created_at", "id"],
    api_key_by_created_at: ["created_at", "id"],
  };
  for (const [name, columns] of Object.entries(orders))
    await db.schema.createIndex(name).on("api_key").columns(columns).execute();
  for (const column of ["prefix", "start"])
    await db.schema
      .createIndex(`api_key_by_${column}`)
      .on("api_key")
      .columns([column, "created_at", "id"])
      .where(column, "is not", null)
      .execute();
  await db.schema
    .createIndex("api_key_disabled")
    .on("api_key")
    .columns(["created_at", "id"])
    .where(sql<boolean>`(not enabled or disabled_by_admin)`)
    .execute();
  await db.schema
    .createIndex("api_key_by_expires_at")
    .on("api_key")
    .column("expires_at")
    .where("expires_at", "is not", null)
    .execute();
};

const createOwner = async (db: Kysely<any>) => {
  await db.schema
    .createTable("owner")
    .addColumn("user_id", "text", (column) => column.primaryKey())
    .addColumn("revision", "bigint", (column) => column.notNull())
    .addColumn("banned", "boolean", (column) => column.notNull())
    .addColumn("banned_until", "timestamptz")
    .addColumn("departed_at", "timestamptz")
    .execute();
  await db.schema
    .createIndex("owner_by_departed_at")
    .on("owner")
    .column("departed_at")
    .where("departed_at", "is not", null)
    .execute();
};

const createKeyUsage = async (db: Kysely<any>) => {
  const count = "bigint";
  await db.schema
    .createTable("key_usage")
    .addColumn("key_id", "text", (column) => column.notNull())
    .addColumn("day", "date", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("valid", count, (column) => column.notNull().defaultTo(0))
    .addColumn("rate_limited", count, (column) => column.notNull().defaultTo(0))
    .addColumn("exhausted", count, (column) => column.notNull().defaultTo(0))
    .addColumn("expired", count, (column) => column.notNull().defaultTo(0))
    .addColumn("disabled", count, (column) => column.notNull().defaultTo(0))
    .addColumn("forbidden", count, (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("key_usage_primary_key", ["key_id", "day"])
    .execute();
  for (const column of ["day", "user_id"])
    await db.schema.createIndex(`key_usage_by_${column}`).on("key_usage").column(column).execute();
};

const firstTables: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await createApiKey(db);
    await createApiKeyIndexes(db);
    await createOwner(db);
    await createKeyUsage(db);
    await sql`create sequence ${sql.id(schema, "apikey_number")}`.execute(db);
  },
};

/** Adds the time when the verified owner of an address claimed the user, null if nobody did. */
const ownerClaims: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("owner").addColumn("claimed_at", "timestamptz").execute();
  },
};

/** Adds whether the owner may change a key's lifetime. Null in keys of versions that did not record it. */
const keyLifetimes: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("api_key").addColumn("lifetime_locked", "boolean").execute();
  },
};

/** Adds the time when an admin secured a user, null if nobody did. */
const ownerSecured: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("owner").addColumn("secured_at", "timestamptz").execute();
  },
};

/** Adds the second factor of a key's creator, null in keys from before. */
const keySecondFactors: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("api_key").addColumn("second_factor", "text").execute();
  },
};

/** Adds when a new password last ended sessions of an owner. Apart from the column of keys, because a migration locks one busy table. */
const ownerSessionsEnded: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("owner").addColumn("sessions_ended_at", "timestamptz").execute();
  },
};

/** Counts the mails about new keys, so that no number of keys floods a mailbox. */
const newKeyMails: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema
      .createTable("new_key_mail")
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("day", "date", (column) => column.notNull())
      .addColumn("count", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("new_key_mail_pkey", ["user_id", "day"])
      .execute();
  },
};

/** Adds when the session of a key's creator began, null in keys from before. */
const keySessionsSince: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("api_key").addColumn("session_since", "timestamptz").execute();
  },
};

/** Adds what merges of users changed here, and when a key got its owner by one. */
const userMergesMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await createMergeTable(db);
    await db.schema.alterTable("api_key").addColumn("owner_since", "timestamptz").execute();
  },
};

/** Adds when a new password last ended keys of an owner that can stand for a session. */
const ownerKeySessionsEnded: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await db.schema.alterTable("owner").addColumn("key_sessions_ended_at", "timestamptz").execute();
  },
};

/** Migrations only go forward. A released migration is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTables,
  "0002_audit_seals": { unsafe: inFirstRelease, up: createAuditSeals },
  "0003_usage_total": usageTotalMigration,
  "0004_outbox_traces": { up: addOutboxTraces },
  "0005_taken": { up: createImportedRowTable },
  "0006_owner_claims": ownerClaims,
  "0007_key_lifetimes": keyLifetimes,
  "0008_audit_origins": indexAuditOrigins(schema),
  "0009_owner_secured": ownerSecured,
  "0010_key_successors": keySuccessorsMigration,
  "0011_organization_keys": organizationKeysMigration,
  "0012_key_creators": keyCreatorsMigration,
  "0013_event_feed": startEventFeed(schema),
  "0014_key_second_factors": keySecondFactors,
  "0015_new_key_mails": newKeyMails,
  "0016_key_sessions_since": keySessionsSince,
  "0017_owner_sessions_ended": ownerSessionsEnded,
  "0018_user_merges": userMergesMigration,
  "0019_owner_key_sessions_ended": ownerKeySessionsEnded,
};
