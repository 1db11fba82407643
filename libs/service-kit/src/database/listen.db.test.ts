import { createTestDatabase, expectNoLeaks, type TestDatabase, until } from "@latchkey/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readSettings } from "../config/settings.ts";
import { createLogger } from "../observe/logger.ts";
import { listen } from "./listen.ts";

expectNoLeaks("file");

const logger = createLogger({ service: "test", level: "silent" });
let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const startListening = (databaseUrl = database.url) => {
  const settings = readSettings({ secret: ["a secret of the tests"], databaseUrl }, {});
  const heard = { count: 0 };
  const onNotified = () => {
    heard.count += 1;
  };
  return { heard, listening: listen({ settings, channel: "some channel", onNotified, logger }) };
};

test("reports the start of listening and then each notification", async () => {
  const { heard, listening } = startListening();
  await until(() => heard.count === 1);
  await client.query(`notify "some channel"`);
  await until(() => heard.count === 2);
  await client.query(`notify "another channel"`);
  await client.query(`notify "some channel"`);
  await until(() => heard.count === 3);
  await listening.stop();
});

test("reconnects after a loss and reports it, because a notification may be missed", async () => {
  const { heard, listening } = startListening();
  await until(() => heard.count === 1);
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey-listen' and datname = current_database()",
  );
  await until(() => heard.count === 2);
  await client.query(`notify "some channel"`);
  await until(() => heard.count === 3);
  await listening.stop();
});

test("stops at once, even without a server", async () => {
  const { heard, listening } = startListening("postgres://localhost:9/nowhere");
  await listening.stop();
  expect(heard.count).toBe(0);
});
