import { expectNoLeaks, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newTextId, openWebhooks, recordedOf } from "../db/test-webhooks.fixture.ts";

expectNoLeaks("file");

const it = await openWebhooks();

test("messages keep their order through a failure of the database", async () => {
  const userId = newTextId();
  const [first, second] = [recordedOf(userId), recordedOf(userId)];
  let failures = 0;
  const logger = it.deps.logger.child({});
  logger.warn = () => void (failures += 1);
  const deps = { ...it.deps, logger };
  await sql`alter table webhooks.event rename to event_away`.execute(it.db);
  const storing = it.record([first], null, deps);
  await until(() => failures === 1);
  await sql`alter table webhooks.event_away rename to event`.execute(it.db);
  const { id } = await storing;
  await it.record([second], id, deps);
  const rows = await it.db
    .selectFrom("event")
    .select("id")
    .where("subjectId", "=", userId)
    .orderBy("sequence")
    .execute();
  expect(rows.map((row) => row.id)).toEqual([first.id, second.id]);
});

test("a process that leaves gives a message back that it cannot store", async () => {
  const leaving = new AbortController();
  const message = it.record([recordedOf("\0")], null, { ...it.deps, leaving });
  leaving.abort();
  await expect(message).rejects.toThrow();
});
