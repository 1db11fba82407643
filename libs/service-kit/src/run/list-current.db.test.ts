import { createTestDatabase, expectNoLeaks, type TestDatabase } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { readSettings, type Settings } from "../config/settings.ts";
import type { WantedView } from "../custom-names/view-rules.ts";
import type { SchemaMigrations } from "../database/schema-migration.ts";
import { createServer } from "../http/create-server.ts";
import { createLogger } from "../observe/logger.ts";
import { defineService } from "./define-service.ts";
import { listCurrent } from "./list-current.ts";

expectNoLeaks("file");

const run =
  (statement: string) =>
  async (db: Kysely<any>): Promise<void> => {
    await sql.raw(statement).execute(db);
  };
const first: SchemaMigrations = {
  "0001_note": { up: run("create table gateway.note (id int primary key, made_by text)") },
};
const second: SchemaMigrations = {
  ...first,
  "0002_wider": { up: run("alter table gateway.note add column author text") },
};
const memos: WantedView = { table: "note", option: "note", name: "memos", names: {} };

interface Parts {
  migrations?: SchemaMigrations;
  views?: readonly WantedView[];
  isReady?: boolean;
}

const serviceWith = ({ migrations = first, views = [], isReady = true }: Parts) =>
  defineService({
    name: "gateway",
    options: () => ({}),
    schema: { migrations, views: () => views, isReadyForViews: async () => isReady },
    createDeps: () => ({}),
    createApp: () => createServer(createLogger({ service: "test", level: "silent" })),
  });

let database: TestDatabase;
let settings: Settings;
beforeEach(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  const secret = ["a secret for tests, and for nothing else"];
  settings = readSettings({ secret, databaseUrl: database.url, logger: { disabled: true } }, {});
});
afterEach(() => database.drop());

const isCurrent = async (parts: Parts): Promise<boolean> =>
  (await listCurrent(settings, [serviceWith(parts)])).has("gateway");
const migrate = (parts: Parts) => serviceWith(parts).migrate(settings);

test("a schema is current after its migration, until a migration is added", async () => {
  expect(await isCurrent({})).toBe(false);
  await migrate({});
  expect([await isCurrent({}), await isCurrent({ migrations: second })]).toEqual([true, false]);
});

test("the schema of a later version is not current, so that its migration warns", async () => {
  await migrate({ migrations: second });
  expect(await isCurrent({})).toBe(false);
});

test("a schema with a configured or a remaining view is not current", async () => {
  await migrate({});
  expect(await isCurrent({ views: [memos] })).toBe(false);
  await migrate({ views: [memos] });
  expect(await isCurrent({})).toBe(false);
  await migrate({});
  expect(await isCurrent({})).toBe(true);
});

test("a schema whose further parts differ from the options is not current", async () => {
  await migrate({});
  expect(await isCurrent({ isReady: false })).toBe(false);
});

test("a schema that cannot be read leaves the answer for those before it", async () => {
  await migrate({});
  const unreadable = {
    name: "mailer" as const,
    isCurrent: async () => Promise.reject(new Error("closed")),
  };
  expect([...(await listCurrent(settings, [serviceWith({}), unreadable]))]).toEqual(["gateway"]);
});
