import { createSecretRing } from "@latchkey/crypto";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openTestBackend, type TestBackend } from "../bus/test-backend.fixture.ts";
import { appendEvent } from "./append-event.ts";
import { once } from "./once.ts";
import { sweepInbox } from "./sweep-inbox.ts";

const day = 86_400_000;
const { now: clock, advance } = createTestClock();
expectNoLeaks("file");

let backend: TestBackend;
beforeAll(async () => {
  backend = await openTestBackend("postgres", {
    databaseUrl: inject("databaseUrl"),
    redisUrl: inject("redisUrl"),
  });
});
afterAll(() => backend.close());

test("applies an event once despite 16 concurrent deliveries", async () => {
  let effects = 0;
  const deliver = () =>
    once(backend.db, { eventId: "e1", consumer: "c", clock }, async () => (effects += 1));
  const results = await Promise.all(Array.from({ length: 16 }, deliver));
  expect(effects).toBe(1);
  expect(results.filter((result) => result === 1).length).toBe(1);
  expect(results.filter((result) => result === undefined).length).toBe(15);
});

test("applies an event at the next delivery after a failure", async () => {
  const delivery = { eventId: "e2", consumer: "c", clock };
  const failing = once(backend.db, delivery, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(await once(backend.db, delivery, async () => "had")).toBe("had");
});

test("applies an event once per consumer", async () => {
  const consume = (consumer: string) =>
    once(backend.db, { eventId: "e3", consumer, clock }, async () => consumer);
  expect(await Promise.all([consume("a"), consume("b")])).toEqual(["a", "b"]);
});

test("deletes only inbox rows older than thirty days, in batches", async () => {
  await backend.db.deleteFrom("inbox").execute();
  const rowsAt = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      eventId: `${prefix}-${index}`,
      consumer: "c",
      doneAt: new Date(clock()),
    }));
  await backend.db.insertInto("inbox").values(rowsAt("old", 1_500)).execute();
  advance(1 * day);
  await backend.db.insertInto("inbox").values(rowsAt("young", 2)).execute();
  advance(29 * day + 1);
  expect(await sweepInbox(backend.db, { clock })).toBe(1_500);
  const remainingRows = await backend.db.selectFrom("inbox").select("eventId").execute();
  expect(remainingRows.map(({ eventId }) => eventId).toSorted()).toEqual(["young-0", "young-1"]);
});

test("rolls an event back with its transaction, and rejects data that fails its schema", async () => {
  const ring = createSecretRing(["a secret of the tests, long enough for all"]);
  const collaborators = { ring, clock, newEventId: () => "appended" };
  const append = (data: { userId: string }) =>
    backend.db.transaction().execute(async (trx) => {
      await appendEvent(trx, collaborators, { name: "user.updated", data });
      throw new Error("rolled back");
    });
  await expect(append({ userId: "u1" })).rejects.toThrow("rolled back");
  await expect(append({ userId: 1 as unknown as string })).rejects.toThrow(TypeError);
  expect(await backend.db.selectFrom("outbox").select("id").execute()).toEqual([]);
});
