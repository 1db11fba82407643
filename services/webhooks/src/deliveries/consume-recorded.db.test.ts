import { expectNoLeaks, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newTextId, openWebhooks, recordedOf } from "../db/test-webhooks.fixture.ts";
import { consumeRecorded } from "./consume-recorded.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();

/** Returns the ids of the events of a user, in their order. */
const storedOf = async (userId: string): Promise<string[]> => {
  const rows = await fixture.db
    .selectFrom("event")
    .select("id")
    .where("subjectId", "=", userId)
    .orderBy("sequence")
    .execute();
  return rows.map(({ id }) => id);
};

test("messages keep their order through a failure of the database", async () => {
  const userId = newTextId();
  const [first, second] = [recordedOf(userId), recordedOf(userId)];
  let failures = 0;
  const logger = fixture.deps.logger.child({});
  logger.warn = () => void (failures += 1);
  const deps = { ...fixture.deps, logger };
  await sql`alter table webhooks.event rename to event_away`.execute(fixture.db);
  const storing = fixture.record([first], null, deps);
  await until(() => failures === 1);
  await sql`alter table webhooks.event_away rename to event`.execute(fixture.db);
  const { id } = await storing;
  await fixture.record([second], id, deps);
  expect(await storedOf(userId)).toEqual([first.id, second.id]);
});

test("messages that wait for a lost one keep their order", async () => {
  const userId = newTextId();
  const events = Array.from({ length: 10 }, () => recordedOf(userId));
  const ids = events.map(() => newTextId());
  await Promise.all(
    events.map((event, index) =>
      consumeRecorded(fixture.deps, {
        id: ids[index] ?? "",
        name: "events.recorded",
        version: 1,
        occurredAt: new Date().toISOString(),
        data: { previousId: ids[index - 1] ?? "lost", events: [event] },
      }),
    ),
  );
  expect(await storedOf(userId)).toEqual(events.map(({ id }) => id));
});

test("a process that leaves gives a message back that it cannot store", async () => {
  const leaving = new AbortController();
  const message = fixture.record([recordedOf("\0")], null, { ...fixture.deps, leaving });
  leaving.abort();
  await expect(message).rejects.toThrow();
});
