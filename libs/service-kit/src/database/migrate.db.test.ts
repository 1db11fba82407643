import { createTestDatabase, expectNoLeaks, type TestDatabase, until } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import type { Pool } from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { buildIndex } from "./build-index.ts";
import { createDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createPostgresPool } from "./postgres-pool.ts";
import type { SchemaMigrations } from "./schema-migration.ts";

expectNoLeaks("file");

const schema = "sample";
const patience = { lockMilliseconds: 50, restMilliseconds: 50, attemptsMax: 1_000 };

const run =
  (...statements: string[]) =>
  async (db: Kysely<any>): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
const first: SchemaMigrations = {
  "0001_note": { up: run("create table sample.note (id int primary key, text text)") },
};
const widen: SchemaMigrations = {
  ...first,
  "0002_wider": { up: run("alter table sample.note add column author text") },
};
const indexed: SchemaMigrations = {
  ...first,
  "0002_index": {
    isOutsideTransaction: true,
    up: (db) =>
      buildIndex(db, {
        schema,
        name: "note_text",
        table: "note",
        definition: "(text)",
        isUnique: true,
      }),
  },
};

let database: TestDatabase;
const open: Pool[] = [];
const openPool = (): Pool => {
  const logger = createLogger({ service: "test", level: "silent" });
  const pool = createPostgresPool({
    url: database.url,
    max: 2,
    logger,
    applicationName: "test",
    queryMilliseconds: 0,
  });
  open.push(pool);
  return pool;
};
beforeEach(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.end()));
  await database.drop();
});

const bring = (migrations: SchemaMigrations, told: string[] = []) => {
  const logger = createLogger({
    service: "test",
    level: "warn",
    destination: { write: (line) => told.push(line) },
  });
  const db = createDatabase<any>({ pool: openPool(), schema, preparedStatements: false });
  return migrate({ db, schema, migrations, logger, patience });
};

/** A backup reads for hours. Everything queued behind a waiting schema change would wait as long, even readers. */
test("does not block others while a migration waits for a long reader", async () => {
  await bring(first);
  const pool = openPool();
  const reader = await pool.connect();
  await reader.query("begin");
  await reader.query("select from sample.note");
  const messages: string[] = [];
  const migrated = bring(widen, messages);
  for (let id = 0; messages.length < 4; id += 1) {
    await pool.query("insert into sample.note values ($1)", [id]);
    await pool.query("select from sample.note");
  }
  await reader.query("rollback");
  reader.release();
  expect(await migrated).toEqual(["0002_wider"]);
});

test("fails without changes if a lock is never released", async () => {
  await bring(first);
  const pool = openPool();
  const reader = await pool.connect();
  await reader.query("begin");
  await reader.query("select from sample.note");
  const db = createDatabase<any>({ pool: openPool(), schema, preparedStatements: false });
  const few = { ...patience, attemptsMax: 2 };
  await expect(migrate({ db, schema, migrations: widen, patience: few })).rejects.toMatchObject({
    message: "Migrating schema sample failed",
    cause: { code: "55P03" },
  });
  await reader.query("rollback");
  reader.release();
  expect(await bring(widen)).toEqual(["0002_wider"]);
});

test("keeps the migrations before a failed one and resumes there", async () => {
  const failing = {
    ...widen,
    "0003_wrong": { up: run("alter table sample.note add", "nonsense") },
  };
  await expect(bring(failing)).rejects.toThrow("Migrating schema sample failed");
  expect(await bring({ ...widen, "0003_wrong": { up: run("select 1") } })).toEqual(["0003_wrong"]);
});

test("builds an index while a writer's transaction is open", async () => {
  await bring(first);
  const pool = openPool();
  const writer = await pool.connect();
  await writer.query("begin");
  await writer.query("insert into sample.note values (1, 'a')");
  const migrated = bring(indexed);
  // The build waits for older transactions, but blocks none.
  await until(
    async () =>
      (await pool.query("select from pg_stat_progress_create_index where phase like 'waiting%'"))
        .rowCount,
  );
  await pool.query("insert into sample.note values (2, 'b')");
  await writer.query("commit");
  writer.release();
  expect(await migrated).toEqual(["0002_index"]);
});

test("rebuilds an invalid index and keeps a valid one", async () => {
  await bring(first);
  const pool = openPool();
  await pool.query("insert into sample.note values (1, 'a'), (2, 'a')");
  await expect(bring(indexed)).rejects.toThrow("Migrating schema sample failed");
  await pool.query("delete from sample.note where id = 2");
  expect(await bring(indexed)).toEqual(["0002_index"]);
  const oid = async () =>
    (
      await pool.query(
        "select 'sample.note_text'::regclass::oid, indisvalid from pg_index where indexrelid = 'sample.note_text'::regclass",
      )
    ).rows;
  const built = await oid();
  expect(built).toMatchObject([{ indisvalid: true }]);
  await pool.query("delete from sample.migration where name = '0002_index'");
  expect(await bring(indexed)).toEqual(["0002_index"]);
  expect(await oid()).toEqual(built);
});

test("eight concurrent processes apply each migration once, inside and outside transactions", async () => {
  const later: SchemaMigrations = {
    ...indexed,
    "0003_author": { up: run("alter table sample.note add column author text") },
  };
  const applied = await Promise.all(Array.from({ length: 8 }, () => bring(later)));
  expect(applied.flat().toSorted()).toEqual(["0001_note", "0002_index", "0003_author"]);
});

/** Each migration builds an index concurrently, which waits for the others' statements and snapshots. */
test("builds indexes in several schemas of one database at once without a deadlock", async () => {
  const schemas = ["sample", "other", "third"];
  const migrationsOf = (name: string): SchemaMigrations => ({
    "0001_note": { up: run(`create table ${name}.note (id int primary key, text text)`) },
    "0002_index": {
      isOutsideTransaction: true,
      up: (db) =>
        buildIndex(db, { schema: name, name: "note_text", table: "note", definition: "(text)" }),
    },
  });
  const applied = schemas.map((name) => {
    const db = createDatabase<any>({ pool: openPool(), schema: name, preparedStatements: false });
    return migrate({ db, schema: name, migrations: migrationsOf(name), patience });
  });
  expect(await Promise.all(applied)).toEqual(schemas.map(() => ["0001_note", "0002_index"]));
});
