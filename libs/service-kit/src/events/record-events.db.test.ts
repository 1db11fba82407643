import type { RecordedEvent } from "@latchkey/contracts";
import { expectNoLeaks, until } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  entry,
  openAudit,
  type OpenedAudit,
  schema,
  silentLogger,
  testRing,
} from "../audit/test-audit.fixture.ts";
import { addOutboxTraces, type FeedingTables, startEventFeed } from "../database/kit-tables.ts";
import { recordEvents, type RecordEventsOptions, startRecordingEvents } from "./record-events.ts";

expectNoLeaks("file");

let audit: OpenedAudit;
let db: Kysely<FeedingTables>;
beforeEach(async () => {
  audit = await openAudit();
  db = audit.db;
  await addOutboxTraces(audit.db);
  await startEventFeed(schema).up(audit.db);
});
afterEach(() => audit.close());

const deleted = (userId: string): RecordedEvent => ({
  type: "user.deleted",
  subject: { kind: "user", id: userId },
  data: { userId },
});
let eventCount = 0;
const options = (
  describe: RecordEventsOptions<FeedingTables>["describe"] = async (_trx, changes) =>
    changes.map(({ subjectId }) => [deleted(subjectId)]),
): RecordEventsOptions<FeedingTables> => ({
  db,
  ring: testRing,
  clock: audit.clock,
  newEventId: () => `event-${(eventCount += 1)}`,
  wakeRelay: () => {},
  logger: silentLogger,
  isEnabled: true,
  describe,
});

interface Message {
  events: { subject: { id: string } }[];
}
const recordedIds = async () => {
  const rows = await db.selectFrom("outbox").select("data").execute();
  const messages = rows.map(({ data }) => JSON.parse(data) as Message);
  return messages.flatMap(({ events }) => events.map(({ subject }) => subject.id));
};

test("records each sealed entry once, although 16 callers read the chain", async () => {
  await audit.appendMany(250);
  await audit.seal();
  const readAll = async () => {
    while (await recordEvents(options()));
  };
  await Promise.all(Array.from({ length: 16 }, readAll));
  await readAll();
  const ids = await recordedIds();
  expect(ids.toSorted()).toEqual(Array.from({ length: 250 }, (_, n) => `s${n}`).toSorted());
});

test("continues after an entry whose event does not match its declaration", async () => {
  await audit.append(["a", "far", "b"].map((id) => entry({ subject: { kind: "user", id } })));
  await audit.seal();
  const farFuture: RecordedEvent = {
    type: "session.created",
    subject: { kind: "user", id: "far" },
    data: {
      userId: "far",
      sessionId: "s",
      expiresAt: new Date("9999-12-31T23:59:59-01:00").toISOString(),
      isImpersonation: false,
    },
  };
  await recordEvents(
    options(async (_trx, changes) =>
      changes.map(({ subjectId: id }) => [id === "far" ? farFuture : deleted(id)]),
    ),
  );
  expect(await recordedIds()).toEqual(["a", "b"]);
});

test("records an entry as soon as it is notified of the seal", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] }); // no interval ends
  const recording = startRecordingEvents(options());
  vi.useRealTimers();
  await audit.append([entry({ subject: { kind: "user", id: "a" } })]);
  await audit.seal();
  expect(await recordedIds()).toEqual([]);
  recording.onSealed?.();
  await until(async () => (await recordedIds()).includes("a"));
  await recording.stop();
});
