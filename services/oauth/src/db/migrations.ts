import {
  addOutboxTraces,
  buildIndex,
  createAuditSeals,
  createKitTables,
  type SchemaMigration,
  type SchemaMigrations,
} from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "./tables.ts";

const createClients = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("client")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("metadata", "text", (column) => column.notNull())
    .addColumn("disabled", "boolean", (column) => column.notNull())
    .addColumn("skip_consent", "boolean", (column) => column.notNull())
    .addColumn("require_pkce", "boolean", (column) => column.notNull())
    .addColumn("machine_scopes", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("client_by_created_at")
    .on("client")
    .columns(["created_at", "id"])
    .execute();
  await db.schema
    .createTable("client_secret")
    .addColumn("hash", "bytea", (column) => column.primaryKey())
    .addColumn("client_id", "text", (column) =>
      column.notNull().references("client.id").onDelete("cascade"),
    )
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz")
    .execute();
  await db.schema
    .createIndex("client_secret_by_client")
    .on("client_secret")
    .column("client_id")
    .execute();
};

const createConsents = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("consent")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("client_id", "text", (column) =>
      column.notNull().references("client.id").onDelete("cascade"),
    )
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .addUniqueConstraint("consent_of_user", ["user_id", "client_id"])
    .execute();
  await db.schema.createIndex("consent_by_client").on("consent").column("client_id").execute();
};

const createGrants = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("grant")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("client_id", "text", (column) => column.notNull())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("session_id", "text")
    .addColumn("access_epoch", "bigint", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("started_at", "timestamptz", (column) => column.notNull())
    .addColumn("ended_at", "timestamptz")
    .addColumn("end_reason", "text")
    .execute();
  for (const [name, columns] of Object.entries({
    grant_by_user: ["user_id", "client_id"],
    grant_by_client: ["client_id"],
    grant_by_ended_at: ["ended_at"],
  }))
    await db.schema.createIndex(name).on("grant").columns(columns).execute();
};

const createArtifacts = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("artifact")
    .addColumn("hash", "bytea", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("grant_id", "text", (column) => column.references("grant.id").onDelete("cascade"))
    .addColumn("client_id", "text")
    .addColumn("user_id", "text")
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("consumed_at", "timestamptz")
    .addColumn("answer_sealed", "text")
    .execute();
  for (const column of ["grant_id", "expires_at", "client_id", "user_id"])
    await db.schema.createIndex(`artifact_by_${column}`).on("artifact").column(column).execute();
  await db.schema
    .createTable("signing_key")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("alg", "text", (column) => column.notNull())
    .addColumn("private_key_sealed", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .execute();
};

const firstTablesMigration: SchemaMigration = {
  // Migrations change the tables themselves, so the current row types do not apply.
  up: async (db: Kysely<any>) => {
    await createKitTables(db);
    await createAuditSeals(db);
    await addOutboxTraces(db);
    await createClients(db);
    await createConsents(db);
    await createGrants(db);
    await createArtifacts(db);
  },
};

const createDevices = async (db: Kysely<any>): Promise<void> => {
  await db.schema
    .createTable("device_request")
    .addColumn("hash", "bytea", (column) => column.primaryKey())
    .addColumn("user_code_mac", "text", (column) => column.notNull().unique())
    .addColumn("client_id", "text", (column) => column.notNull())
    .addColumn("payload", "text")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("device_sealed", "text", (column) => column.notNull())
    .addColumn("address_mac", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("user_id", "text")
    .addColumn("access_epoch", "bigint")
    .addColumn("authentication", "text")
    .addColumn("grant_id", "text", (column) => column.references("grant.id").onDelete("cascade"))
    .addColumn("interval_seconds", "integer", (column) => column.notNull())
    .addColumn("polled_at", "timestamptz")
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .execute();
  for (const [name, columns] of Object.entries({
    device_request_by_address: ["client_id", "address_mac"],
    device_request_by_user: ["user_id"],
    device_request_by_grant: ["grant_id"],
    device_request_by_expires_at: ["expires_at"],
  }))
    await db.schema.createIndex(name).on("device_request").columns(columns).execute();
  await db.schema
    .createTable("user_code_try")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("try_count", "integer", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("user_code_try_by_expires_at")
    .on("user_code_try")
    .column("expires_at")
    .execute();
};

/** Says when clients were used last, and lists the users of a client and the clients of a user in order. */
const lastUses: SchemaMigration = {
  isOutsideTransaction: true,
  unsafe:
    "The index that is dropped begins with the columns of a new one, and no statement names it.",
  up: async (db) => {
    for (const table of ["client", "consent"])
      await sql`
        alter table ${sql.id(schema, table)} add column if not exists last_used_at timestamptz`.execute(
        db,
      );
    for (const owner of ["client", "user"])
      await buildIndex(db, {
        schema,
        name: `consent_of_${owner}_by_created_at`,
        table: "consent",
        definition: `(${owner}_id, created_at, id)`,
      });
    await sql`drop index concurrently if exists ${sql.id(schema, "consent_by_client")}`.execute(db);
  },
};

const resourcesMigration: SchemaMigration = {
  up: async (db: Kysely<any>) => {
    await db.schema
      .alterTable("client")
      .addColumn("resources", "text", (column) => column.notNull().defaultTo(""))
      .addColumn("origin", "text", (column) => column.notNull().defaultTo("admin"))
      .execute();
  },
};

/** Migrations only go forward. A released migration is never changed. */
export const migrations: SchemaMigrations = {
  "0001_first_tables": firstTablesMigration,
  "0002_devices": { up: createDevices },
  "0003_last_uses": lastUses,
  "0004_resources": resourcesMigration,
};
