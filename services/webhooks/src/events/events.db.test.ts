import { expectNoLeaks } from "@latchkey/testkit";
import type { operations } from "@latchkey/contracts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { adminListEvents, adminReplayEvent, adminSearchEvents } from "../admin/events.ts";
import {
  adminId,
  callBy,
  newTextId,
  openWebhooks,
  recordedOf,
  replyOf,
} from "../db/test-webhooks.fixture.ts";
import { consumeRecorded } from "../deliveries/consume-recorded.ts";
import { selectNewestEvents } from "./queries.ts";

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

type Search = NonNullable<Parameters<typeof adminSearchEvents>[1]["query"]>;

const search = async (query: Search, role = "admin", deps = fixture.deps) =>
  replyOf(
    adminSearchEvents(deps, callBy<typeof operations.webhooks.adminSearchEvents>({ query, role })),
  );
const replay = async (id: string, webhookId?: string, role = "admin", deps = fixture.deps) =>
  replyOf(
    adminReplayEvent(
      deps,
      callBy<typeof operations.webhooks.adminReplayEvent>({
        params: { id },
        body: webhookId === undefined ? {} : { webhookId },
        role,
      }),
    ),
  );

/** Dependencies with a role that may list users, but no sessions. */
const readerDeps = (() => {
  const { admin } = fixture.deps.config;
  const roles = { ...admin.roles, reader: { webhook: ["read", "retry"], user: ["list"] } };
  return { ...fixture.deps, config: { ...fixture.deps.config, admin: { ...admin, roles } } };
})();

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
    await fixture.record([
      recordedOf(newTextId(), { type: "user.updated" }),
      recordedOf(newTextId(), { type: "session.created" }),
      recordedOf(newTextId(), { type: "organization.created" }),
    ]);
    const { events } = await list(start, 10, "reader", readerDeps);
    expect(events.map(({ type }) => type)).toEqual(["user.updated"]);
  });

  test.each(["-1", "x", "1.5", "99999999999999999999"])("refuses the cursor %s", async (after) => {
    await expect(list(after)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("the search of events", () => {
  test("returns the newest first, page by page, by type, subject, organization and id", async () => {
    const [userId, organizationId] = [newTextId(), newTextId()];
    const events = [
      recordedOf(userId, { type: "user.created" }),
      recordedOf(userId, { type: "user.updated" }),
      recordedOf(organizationId, { type: "organization.created" }),
      recordedOf(userId, { type: "user.banned" }),
    ];
    await fixture.record(events);
    const [created, updated, ofOrganization, banned] = events.map(({ id }) => id);
    const idsOf = async (query: Search) =>
      (await search(query)).events.map(({ event }) => event.id);
    expect(await idsOf({ limit: 2 })).toEqual([banned, ofOrganization]);
    expect(await idsOf({ subjectId: userId })).toEqual([banned, updated, created]);
    expect(await idsOf({ subjectId: userId, eventType: "user.updated" })).toEqual([updated]);
    expect(await idsOf({ eventType: "user.banned", limit: 1 })).toEqual([banned]);
    expect(await idsOf({ organizationId })).toEqual([ofOrganization]);
    expect(await idsOf({ organizationId: userId })).toEqual([]);
    expect(await idsOf({ eventId: String(created) })).toEqual([created]);
    const first = await search({ subjectId: userId, limit: 2 });
    const second = await search({ subjectId: userId, limit: 2, cursor: String(first.nextCursor) });
    expect(second.events.map(({ event }) => event.id)).toEqual([created]);
    expect(second.nextCursor).toBeUndefined();
    await expect(search({ cursor: "x" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("leaves out events whose objects the caller may not list", async () => {
    const userId = newTextId();
    await fixture.record([
      recordedOf(userId, { type: "user.updated" }),
      recordedOf(userId, { type: "session.created" }),
    ]);
    const shown = await search({ subjectId: userId }, "reader", readerDeps);
    expect(shown.events.map(({ event }) => event.type)).toEqual(["user.updated"]);
    const chosen = { subjectId: userId, eventType: "session.created" } as const;
    expect((await search(chosen, "reader", readerDeps)).events).toEqual([]);
  });

  test("finds the events of a rare type by an index", async () => {
    await sql`
      insert into webhooks.event (id, type, subject_kind, subject_id, occurred_at, recorded_at, body)
      select 'many-' || n, case when n = 1 then 'team.deleted' else 'session.created' end, 'user', 'many',
        now(), now(), '{}'
      from generate_series(1, 20000) as n`.execute(fixture.db);
    await sql`analyze webhooks.event`.execute(fixture.db);
    const query = selectNewestEvents(fixture.db, {
      types: ["team.deleted"],
      before: undefined,
      limit: 51,
    });
    const plan = await query.explain("text");
    expect(JSON.stringify(plan)).toContain("event_by_type");
    await fixture.db.deleteFrom("event").where("subjectId", "=", "many").execute();
  });
});

describe("a replay of an event", () => {
  const setUp = async () => {
    const url = "https://example.com/";
    const organizationId = newTextId();
    const [whole, ofUsers, ofTeams, ofOrganization] = await Promise.all([
      fixture.endpoint({ url }),
      fixture.endpoint({ url, events: ["user.updated"] }),
      fixture.endpoint({ url, events: ["team.created"] }),
      fixture.endpoint({ url, organizationId }),
    ]);
    const event = recordedOf(newTextId());
    await fixture.record([event]);
    await sql`update webhooks.delivery set state = 'failed'`.execute(fixture.db);
    await sql`delete from webhooks.lane`.execute(fixture.db);
    const stateCounts = async () => (await search({ eventId: event.id })).events[0]?.webhooks;
    return { eventId: event.id, whole, ofUsers, ofTeams, ofOrganization, stateCounts };
  };

  test("reaches the webhooks that receive such events, at once, and is audited", async () => {
    const { eventId, whole, ofUsers, ofTeams, ofOrganization, stateCounts } = await setUp();
    const before = await stateCounts();
    const { count } = await replay(eventId);
    expect(before).toEqual({ pending: 0, delivered: 0, failed: count });
    expect(await stateCounts()).toEqual({ pending: count, delivered: 0, failed: 0 });
    for (const [{ id }, replays] of [
      [whole, [false, true]],
      [ofUsers, [false, true]],
      [ofTeams, []],
      [ofOrganization, []],
    ] as const)
      expect((await fixture.deliveriesOf(id)).map(({ isReplay }) => isReplay)).toEqual(replays);
    expect(await fixture.auditOf(eventId)).toMatchObject([
      { action: "webhook-event.replayed", after: { webhookId: null, count } },
    ]);
  });

  test("reaches one webhook only, and none that does not receive such events", async () => {
    const { eventId, whole, ofUsers, ofTeams, stateCounts } = await setUp();
    expect(await replay(eventId, ofUsers.id)).toEqual({ count: 1 });
    expect(await stateCounts()).toMatchObject({ pending: 1 });
    expect(await fixture.deliveriesOf(whole.id)).toHaveLength(1);
    expect(await replay(eventId, ofTeams.id)).toEqual({ count: 0 });
    await expect(replay(eventId, "unknown")).rejects.toMatchObject({ code: "WEBHOOK_NOT_FOUND" });
    await expect(replay("unknown")).rejects.toMatchObject({ code: "EVENT_NOT_FOUND" });
  });

  test("is refused or leaves out a webhook if the caller may not read its events", async () => {
    const { eventId, whole, ofUsers } = await setUp();
    const refused = { code: "YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS" };
    await expect(replay(eventId, whole.id, "reader", readerDeps)).rejects.toMatchObject(refused);
    await replay(eventId, undefined, "reader", readerDeps);
    expect(await fixture.deliveriesOf(whole.id)).toHaveLength(1);
    expect(await fixture.deliveriesOf(ofUsers.id)).toHaveLength(2);
    const session = recordedOf(newTextId(), { type: "session.created" });
    await fixture.record([session]);
    await expect(replay(session.id, undefined, "reader", readerDeps)).rejects.toMatchObject(
      refused,
    );
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
