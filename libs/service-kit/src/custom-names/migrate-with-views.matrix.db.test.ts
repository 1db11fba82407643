import { createTestDatabase, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Pool } from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { readSettings, type Settings } from "../config/settings.ts";
import { buildIndex } from "../database/build-index.ts";
import { createPostgresPool } from "../database/postgres-pool.ts";
import type { SchemaMigrations } from "../database/schema-migration.ts";
import { createLogger } from "../observe/logger.ts";
import { migrateWithViews, type ViewedSchema } from "./migrate-with-views.ts";

expectNoLeaks("file");

const run =
  (statement: string) =>
  async (db: Kysely<any>): Promise<void> => {
    await sql.raw(statement).execute(db);
  };
const create = (schema: string): Record<string, Migration> => ({
  "0001_note": { up: run(`create table ${schema}.note (id text primary key, made_by text)`) },
});
const widen: Migration = { up: run("alter table sample.note alter column made_by type varchar") };
const memos = { table: "note", option: "note", name: "memos", names: { madeBy: "author" } };

let database: TestDatabase;
let pool: Pool;
let settings: Settings;
beforeEach(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  const logger = createLogger({ service: "test", level: "silent" });
  pool = createPostgresPool({ url: database.url, max: 1, logger, applicationName: "test" });
  const secret = ["a secret for tests, and for nothing else"];
  settings = readSettings({ secret, databaseUrl: database.url, logger: { disabled: true } }, {});
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const migrate = (given: Partial<ViewedSchema> = {}) =>
  migrateWithViews(settings, {
    schema: "sample",
    migrations: create("sample"),
    views: [memos],
    ...given,
  });
const views = async (schema = "sample") =>
  (
    await pool.query<{ name: string; oid: string }>(
      `select relname as name, oid::text from pg_class
       where relnamespace = $1::regnamespace and relkind = 'v'`,
      [schema],
    )
  ).rows;
const viewNames = async (schema = "sample") => (await views(schema)).map(({ name }) => name);

test("recreates a view after a migration altered its table", async () => {
  expect(await migrate()).toEqual(["0001_note"]);
  const [before] = await views();
  const migrations = { ...create("sample"), "0002_wider": widen };
  expect(await migrate({ migrations })).toEqual(["0002_wider"]);
  const [after] = await views();
  expect(after?.name).toBe("memos");
  expect(after?.oid).not.toBe(before?.oid);
  await pool.query("insert into sample.memos (id, author) values ('1', 'Ada')");
  expect((await pool.query("select made_by from sample.note")).rows).toEqual([{ made_by: "Ada" }]);
});

test("leaves a view unchanged without pending migrations", async () => {
  await migrate();
  const made = await views();
  expect(await migrate()).toEqual([]);
  expect(await views()).toEqual(made);
});

test("adds option-defined columns before the views that show them", async () => {
  const beforeViews = run("alter table sample.note add column if not exists length integer");
  await migrate({ beforeViews });
  expect((await pool.query("select length from sample.memos")).rows).toEqual([]);
});

test("leaves views of other schemas unchanged", async () => {
  await migrate();
  await migrate({ schema: "other", migrations: create("other") });
  expect([await viewNames(), await viewNames("other")]).toEqual([["memos"], ["memos"]]);
  await migrate({ schema: "other", migrations: create("other"), views: [] });
  expect([await viewNames(), await viewNames("other")]).toEqual([["memos"], []]);
});

test("leaves foreign views unchanged", async () => {
  await migrate();
  await pool.query("create view sample.dashboard as select count(*) from sample.note");
  await migrate({ views: [] });
  expect(await viewNames()).toEqual(["dashboard"]);
});

test("leaves all views unchanged if one cannot be created", async () => {
  await migrate();
  const made = await views();
  const wanted = [
    { ...memos, name: "papers" },
    { ...memos, option: "other", name: "note_pkey" },
  ];
  await expect(migrate({ views: wanted })).rejects.toMatchObject({
    name: "ConfigurationError",
    problems: ["other.modelName: note_pkey is the name of something else in the database"],
  });
  expect(await views()).toEqual(made);
});

test("does not block another schema's index build while views are synchronized", async () => {
  const building = (schema: string): SchemaMigrations => ({
    ...create(schema),
    "0002_index": {
      isOutsideTransaction: true,
      up: (db) =>
        buildIndex(db, { schema, name: "note_maker", table: "note", definition: "(made_by)" }),
    },
  });
  const applied = ["sample", "other"].map((schema) =>
    migrate({ schema, migrations: building(schema), views: [] }),
  );
  expect(await Promise.all(applied)).toEqual([
    ["0001_note", "0002_index"],
    ["0001_note", "0002_index"],
  ]);
});
