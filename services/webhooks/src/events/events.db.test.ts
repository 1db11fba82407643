import { expectNoLeaks } from "@latchkey/testkit";
import type { operations } from "@latchkey/contracts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { adminListEvents } from "../admin/deliveries.ts";
import {
  adminId,
  callBy,
  newTextId,
  openWebhooks,
  recordedOf,
  replyOf,
} from "../db/test-webhooks.fixture.ts";
import { consumeRecorded } from "../deliveries/consume-recorded.ts";

expectNoLeaks("file");

const fixture = await openWebhooks();

const list = async (after: string, limit = 1_000, role = "admin", deps = fixture.deps) =>
  replyOf(
    adminListEvents(
      deps,
      callBy<typeof operations.webhooks.adminListEvents>({
        query: { after, limit: String(limit) },
        role,
      }),
    ),
  );
const lastCursor = async () => {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(sequence), 0) as last from webhooks.event`.execute(fixture.db);
  return String(rows[0]?.last ?? 0);
};

describe("the list of events", () => {
  test("shows each event once to a reader that continues while 16 writers add events", async () => {
    const start = await lastCursor();
    const events = Array.from({ length: 160 }, () => recordedOf(newTextId()));
    const writing = Promise.all(
      Array.from({ length: 16 }, (_, n) => fixture.record(events.slice(n * 10, n * 10 + 10))),
    );
    let isWriting = true;
    void writing.finally(() => (isWriting = false));
    const seen: string[] = [];
    let cursor = start;
    for (let isLast = false; !isLast;) {
      isLast = !isWriting;
      const page = await list(cursor, 7);
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.cursor;
      if (page.hasMore) isLast = false;
    }
    expect(seen.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  test("leaves out events whose objects the caller may not list", async () => {
    const start = await lastCursor();
    const { admin } = fixture.deps.config;
    const roles = { ...admin.roles, reader: { webhook: ["read"], user: ["list"] } };
    const deps = {
      ...fixture.deps,
      config: { ...fixture.deps.config, admin: { ...admin, roles } },
    };
    await fixture.record([
      recordedOf(newTextId(), { type: "user.updated" }),
      recordedOf(newTextId(), { type: "session.created" }),
      recordedOf(newTextId(), { type: "organization.created" }),
    ]);
    const { events } = await list(start, 10, "reader", deps);
    expect(events.map(({ type }) => type)).toEqual(["user.updated"]);
  });

  test.each(["-1", "x", "1.5", "99999999999999999999"])("refuses the cursor %s", async (after) => {
    await expect(list(after)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

test("a message waits for the one before it", async () => {
  const start = await lastCursor();
  const first = await fixture.record([recordedOf("before")]);
  await fixture.db.deleteFrom("inbox").where("eventId", "=", first.id).execute();
  await fixture.db.deleteFrom("event").where("subjectId", "=", "before").execute();
  const second = fixture.record([recordedOf("after")], first.id);
  await consumeRecorded(fixture.deps, first);
  await second;
  const { events } = await list(start);
  expect(events.map(({ data }) => data["userId"])).toEqual(["before", "after"]);
});

test("a deletion removes name and address of the user from earlier events", async () => {
  const userId = newTextId();
  const { id } = await fixture.endpoint({
    url: "https://example.com/",
    contactEmail: "admin@example.com",
  });
  const created = recordedOf(userId, { type: "user.created" });
  const user = { id: userId, name: "Ada Lovelace", email: "ada@gone.example" };
  await fixture.record([{ ...created, data: { userId, user } }]);
  await fixture.record([recordedOf(userId, { type: "user.deleted" })]);
  const { rows } = await sql<{ text: string }>`
    select event::text as text from webhooks.event where subject_id = ${userId}`.execute(
    fixture.db,
  );
  expect(rows).toHaveLength(2);
  expect(rows.some(({ text }) => /Ada|gone/.test(text))).toBe(false);
  await fixture.record([recordedOf(adminId, { type: "user.deleted" })]);
  expect((await fixture.endpointOf(id)).contactEmail).toBe("");
});
