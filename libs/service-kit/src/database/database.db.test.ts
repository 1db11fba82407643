import { createTestDatabase } from "@latchkey/testkit";
import type { Generated, Kysely } from "kysely";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { compileOnce, type Slots } from "./compile-once.ts";
import { createDatabase } from "./database.ts";
import { findPendingMigrations, migrate } from "./migrate.ts";
import { createPostgresPool } from "./postgres-pool.ts";

interface Tables {
  note: { id: Generated<number>; someText: string; madeAt: Date };
}

const schema = "sample";
const logger = createLogger({ service: "test", level: "silent" });

const migrations = {
  "0001_note": {
    // Migrations change the schema, so no row types apply.
    up: async (db: Kysely<any>) => {
      await db.schema
        .createTable("note")
        .addColumn("id", "bigint", (column) => column.primaryKey().generatedAlwaysAsIdentity())
        .addColumn("some_text", "text", (column) => column.notNull())
        .addColumn("made_at", "timestamptz", (column) => column.notNull())
        .execute();
    },
  },
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const open: Kysely<Tables>[] = [];

const openPool = (schemaName = schema): { db: Kysely<Tables>; pool: pg.Pool } => {
  const pool = createPostgresPool({
    url: database.url,
    max: 4,
    logger,
    applicationName: "latchkey-test",
  });
  const db = createDatabase<Tables>({ pool, schema: schemaName, preparedStatements: true });
  open.push(db);
  return { db, pool };
};

beforeAll(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
});
afterAll(async () => {
  await Promise.all(open.map((db) => db.destroy()));
  await database.drop();
});

test("eight concurrent processes apply each migration once", async () => {
  const applied = await Promise.all(
    Array.from({ length: 8 }, () => migrate({ db: openPool().db, schema, migrations })),
  );
  expect(applied.flat()).toEqual(["0001_note"]);
});

/** After a rollback, the previous version starts on the schema of the later one. */
test("leaves the schema of a later version unchanged and logs it once", async () => {
  const { db } = openPool("later");
  const up = async () => {};
  const later = { "0002_later": { up }, "0003_latest": { up } };
  const options = { db, schema: "later", migrations: { "0001_note": { up } } };
  await migrate({ ...options, migrations: { ...options.migrations, ...later } });
  const lines: string[] = [];
  const warningLogger = createLogger({
    service: "test",
    level: "warn",
    destination: { write: (line) => lines.push(line) },
  });
  expect(await migrate({ ...options, logger: warningLogger })).toEqual([]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ later: Object.keys(later) }),
  ]);
  expect(await findPendingMigrations(options)).toEqual([]);
});

test.each([
  ["has an unknown migration in between", ["0001_note", "0003_note"]],
  ["lacks one of ours", ["0001_note", "0002_other", "0004_note"]],
])("rejects a schema that %s", async (_, known) => {
  const other = `other_${known.length}`;
  const { db } = openPool(other);
  const migrationsOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, { up: async () => {} }]));
  const bring = (names: readonly string[]) =>
    migrate({ db, schema: other, migrations: migrationsOf(names) });
  await bring(["0001_note", "0002_other", "0003_note"]);
  await expect(bring(known)).rejects.toThrow(`Migrating schema ${other} failed`);
});

test("binds the values of each call to a query that was compiled once", async () => {
  const { db } = openPool();
  const madeAt = new Date("2030-01-01T00:00:00.123Z");
  const texts = ["a", "b'; drop table note; --", "c"];
  for (const someText of texts) await db.insertInto("note").values({ someText, madeAt }).execute();
  const find = compileOnce((kysely: Kysely<Tables>, { text }: Slots<{ text: string }>) =>
    kysely.selectFrom("note").select(["id", "someText", "madeAt"]).where("someText", "=", text),
  );
  const results = await Promise.all(texts.map((text) => find.rows(db, { text })));
  expect(results.flat().map(({ someText }) => someText)).toEqual(texts);
  expect(await find.first(db, { text: "a" })).toEqual({
    id: expect.any(Number),
    someText: "a",
    madeAt,
  });
});

test("runs a query that was compiled once in the transaction of the caller", async () => {
  const { db } = openPool();
  const find = compileOnce((kysely: Kysely<Tables>, { text }: Slots<{ text: string }>) =>
    kysely.selectFrom("note").select("id").where("someText", "=", text),
  );
  const text = "only in the transaction";
  expect(await find.first(db, { text })).toBeUndefined();
  const undone = db.transaction().execute(async (trx) => {
    await trx.insertInto("note").values({ someText: text, madeAt: new Date() }).execute();
    expect(await find.rows(trx, { text })).toHaveLength(1);
    expect(await find.rows(db, { text })).toEqual([]);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
});

test("prepares a statement under one name", async () => {
  const { db, pool } = openPool();
  await db.connection().execute(async (one) => {
    for (let turn = 0; turn < 5; turn++)
      await one.selectFrom("note").select("id").where("id", "=", turn).execute();
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like 'select "id" from "sample"."note"%'
    `.execute(one);
    expect(rows).toEqual([{ name: expect.stringMatching(/^latchkey_\d+$/) }]);
  });
  expect(pool.totalCount).toBeLessThanOrEqual(4);
});

test("plans a statement that begins with a comment for its values each time", async () => {
  const { db } = openPool();
  await db.connection().execute(async (one) => {
    for (let turn = 0; turn < 5; turn++)
      await sql`/* planned anew */ select id from sample.note where id = ${turn}`.execute(one);
    const { rows } = await sql`
      select name from pg_prepared_statements where statement like '/*%'
    `.execute(one);
    expect(rows).toEqual([]);
  });
});

test("returns counts as numbers", async () => {
  const { rows } = await sql<{ count: unknown }>`select count(*) as count from sample.note`.execute(
    openPool().db,
  );
  expect(rows).toEqual([{ count: 3 }]);
});

test("survives connections that the server ends", async () => {
  const { db } = openPool();
  const killer = openPool().db;
  await Promise.all(Array.from({ length: 4 }, () => db.selectFrom("note").select("id").execute()));
  // Waits until each has ended.
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `.execute(killer);
  const again = () => db.selectFrom("note").select("id").limit(1).execute();
  const answers = await Promise.allSettled(Array.from({ length: 8 }, again));
  expect(answers.length).toBe(8);
  expect(await again()).toHaveLength(1);
});

test.each([
  "0001-01-01 00:00:00+00",
  "0099-12-31 23:59:59.5+00",
  "0100-01-01 00:00:00+00",
  "1969-12-31 23:59:59.999999+00",
  "1970-01-01 00:00:00+00",
  "2024-02-29 12:34:56.1+00",
  "2024-02-29 12:34:56.12+00",
  "2024-02-29 12:34:56.023456+00",
  "9999-12-31 23:59:59.987+00",
  "12026-11-28 01:02:03.25+00",
])("reads the time %s to the millisecond", async (text) => {
  const { pool } = openPool();
  const { rows } = await pool.query<{ instant: Date; text: string; milliseconds: number }>(
    `select instant, instant::text as text, floor(extract(epoch from instant) * 1000)::bigint as milliseconds
     from (select $1::timestamptz as instant)`,
    [text],
  );
  expect(rows).toEqual([
    {
      instant: new Date(rows[0]?.milliseconds ?? Number.NaN),
      text,
      milliseconds: expect.any(Number),
    },
  ]);
});
