import {
  createTestDatabase,
  expectNoLeaks,
  type PgBouncer,
  startPgBouncer,
  type TestDatabase,
  throughPooler,
  until,
} from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import { isUnavailable } from "../http/unavailable.ts";
import { createLogger } from "../observe/logger.ts";
import { openDatabase } from "./open-database.ts";

expectNoLeaks("file");

interface Tables {
  counter: { value: number };
}

const logger = createLogger({ service: "test", level: "silent" });
const callers = 16;
let pooler: PgBouncer;
let database: TestDatabase;
let db: Kysely<Tables>;
let admin: pg.Client;

beforeAll(async () => {
  const databaseUrl = inject("databaseUrl");
  pooler = await startPgBouncer({ databaseUrl, queryWaitSeconds: 1 });
  database = await createTestDatabase({
    baseUrl: databaseUrl,
    template: {
      name: "service-kit-pgbouncer",
      hash: "1",
      build: async (url) => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query("create schema kit; create table kit.counter (value int)");
        await client.query("insert into kit.counter values (0)");
        await client.end();
      },
    },
  });
  const settings = readSettings(
    {},
    {
      DATABASE_URL: throughPooler(pooler.url, database.url),
      DIRECT_DATABASE_URL: database.url,
      DATABASE_PREPARED_STATEMENTS: "false",
    },
  );
  db = openDatabase<Tables>(settings, { schema: "kit", logger });
  admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await db.destroy();
  await admin.end();
  await pooler.stop();
  await database.drop();
});

const read = () => db.selectFrom("counter").select("value").executeTakeFirstOrThrow();
const add = () =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(1)`.execute(trx);
    const { value } = await trx.selectFrom("counter").select("value").executeTakeFirstOrThrow();
    await trx
      .updateTable("counter")
      .set({ value: value + 1 })
      .execute();
  });

test("isolates the transactions and locks of 16 concurrent callers", async () => {
  await Promise.all(Array.from({ length: callers }, add));
  expect((await read()).value).toBe(callers);
});

test("reports a lost server as unavailable and recovers with it", async () => {
  const name = new URL(database.url).pathname.slice(1);
  const ofDatabase = "from pg_stat_activity where datname = $1";
  await admin.query(`alter database ${name} with allow_connections false`);
  await admin.query(`select pg_terminate_backend(pid) ${ofDatabase}`, [name]);
  const reasons: unknown[] = [];
  await until(async () => {
    await read().catch((reason: unknown) => reasons.push(reason));
    return String(reasons.at(-1)).includes("server login");
  });
  expect(reasons.filter((reason) => !isUnavailable(reason))).toEqual([]);
  await admin.query(`alter database ${name} with allow_connections true`);
  await until(read);
});
