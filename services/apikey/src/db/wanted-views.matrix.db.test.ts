import { readSettings } from "@latchkey/service-kit/config";
import { createPostgresPool } from "@latchkey/service-kit/database";
import { createLogger } from "@latchkey/service-kit/observe";
import { expectNoLeaks, type TestDatabase, testSecret } from "@latchkey/testkit";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApiKeyDatabase } from "./test-apikey.fixture.ts";
import { apikey } from "../service.ts";

expectNoLeaks("file");

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createApiKeyDatabase();
  const logger = createLogger({ service: "test", level: "silent" });
  pool = createPostgresPool({ url: database.url, max: 2, logger, applicationName: "test" });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const migrate = (named?: object) =>
  apikey.migrate(
    readSettings(
      {
        secret: [testSecret],
        databaseUrl: database.url,
        logger: { disabled: true },
        apiKey: { schema: { ...(named && { apikey: named }) } },
      },
      {},
    ),
  );
const query = async (text: string) => (await pool.query<Record<string, unknown>>(text)).rows;
const views = () =>
  query(`select relname as name, oid::integer as oid from pg_class
       where relnamespace = 'apikey'::regnamespace and relkind = 'v' order by relname`);
const viewNames = async () => (await views()).map(({ name }) => name);

const credentials = { modelName: "credentials", fields: { userId: "owner", remaining: "left" } };

describe("a table of keys with a custom name", () => {
  test("can be read, inserted into, changed and deleted from by that name", async () => {
    await migrate(credentials);
    await query(`insert into apikey.credentials (id, key, owner, "left", created_at, updated_at)
       values ('1', 'hash', 'u', 5, now(), now())`);
    expect(await query(`select id, owner, "left", enabled from apikey.credentials`)).toEqual([
      { id: "1", owner: "u", left: 5, enabled: true },
    ]);
    await query(`update apikey.credentials set "left" = 4`);
    expect(await query("select user_id, remaining from apikey.api_key")).toEqual([
      { user_id: "u", remaining: 4 },
    ]);
    await query("delete from apikey.credentials");
    expect(await query("select 1 from apikey.api_key")).toEqual([]);
  });

  test("enforces the constraints of the table", async () => {
    await migrate(credentials);
    const insert = `insert into apikey.credentials (id, key, owner, "left", created_at, updated_at)
       values ('1', 'hash', 'u', -1, now(), now())`;
    await expect(query(insert)).rejects.toThrow("violates check constraint");
  });
});

describe("views", () => {
  test("do not exist without a name", async () => {
    await migrate();
    await migrate({ fields: { userId: "owner" } });
    expect(await views()).toEqual([]);
  });

  test("stay while the options do, follow their changes and are dropped with them", async () => {
    await migrate(credentials);
    const made = await views();
    await migrate(credentials);
    expect(await views()).toEqual(made);
    await migrate({ modelName: "tokens" });
    expect(await viewNames()).toEqual(["tokens"]);
    await migrate();
    expect(await views()).toEqual([]);
  });

  test("are created once when eight processes migrate at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => migrate(credentials)));
    expect(await viewNames()).toEqual(["credentials"]);
  });
});

describe("options that do not fit the database are rejected and change nothing", () => {
  test.each([
    [
      "the table's own name",
      { modelName: "api_key" },
      "modelName: api_key is the name of something else in the database",
    ],
    [
      "another table's name",
      { modelName: "audit" },
      "modelName: audit is the name of something else in the database",
    ],
    [
      "a sequence's name",
      { modelName: "apikey_number" },
      "modelName: apikey_number is the name of something else in the database",
    ],
    [
      "a field that does not exist",
      { modelName: "x", fields: { nope: "y" } },
      "fields.nope: there is no such field",
    ],
    [
      "one name for two columns",
      { modelName: "x", fields: { name: "id" } },
      "fields.name: another column is named id too",
    ],
  ])("%s", async (_, options, expected) => {
    await migrate(credentials);
    const before = await views();
    const problems = [`apiKey.schema.apikey.${expected}`];
    await expect(migrate(options)).rejects.toMatchObject({ name: "ConfigurationError", problems });
    expect(await views()).toEqual(before);
  });
});
