import {
  type AuditListEntry,
  type AuditQuery,
  type FactName,
  WireError,
} from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KitTables } from "../database/kit-tables.ts";
import { writeCursor } from "../lists/list-cursor.ts";
import { listAudit } from "./create-audit-list.ts";
import { entry, openAudit, type OpenedAudit, schema, start } from "./test-audit.fixture.ts";

expectNoLeaks("file");

const count = 120;
/** The last two are those of another version. */
const actions = [
  "session.created",
  "session.revoked",
  "user.created",
  "user.role_changed",
  "userXrole",
] as FactName[];

let audit: OpenedAudit;
let all: AuditListEntry[];
const list = async (query: AuditQuery) => {
  const answer = await listAudit({ db: audit.db, schema }, { query });
  if ("redirect" in answer) throw new Error("unexpected redirect");
  return answer.reply;
};
/** Reads all pages in turn, as a client does. */
const walk = async (query: AuditQuery) => {
  const entries: AuditListEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, ...(cursor && { cursor }) });
    entries.push(...page.entries);
    cursor = page.nextCursor;
  } while (cursor);
  return entries;
};
const idsOf = (entries: readonly AuditListEntry[]) => entries.map(({ id }) => id);

beforeAll(async () => {
  audit = await openAudit();
  // Times are not monotonic, and many are equal.
  for (let index = 0; index < count; index += 1) {
    audit.advance(((index * 7) % 5) * 1000 - 1500);
    await audit.append([
      entry({
        actor: index % 4 === 0 ? { kind: "system" } : { kind: "user", id: `u${index % 7}` },
        subject: { kind: "session", id: `s${index % 11}` },
        action: actions[index % actions.length] ?? "session.created",
        outcome: index % 9 === 0 ? "refused" : "success",
        caller: {
          requestId: `r${Math.floor(index / 3)}`,
          operation: "any",
          baseUrl: "",
          address: index % 3 === 0 ? "" : `192.0.2.${index % 6}`,
          userAgent: "",
        },
        ...(index % 2 === 0 ? { before: { index }, after: { index: { next: index + 1 } } } : {}),
      }),
    ]);
    if (index === count - 3) await audit.seal();
  }
  const { rows } = await sql<{ id: string }>`
    select id::text as id from kit.audit order by occurred_at desc, audit.id desc`.execute(
    audit.db,
  );
  all = await walk({});
  expect(idsOf(all)).toEqual(rows.map(({ id }) => id));
});
afterAll(() => audit.close());

test("returns all fields of an entry with its seal", async () => {
  const sealed = await audit.db
    .selectFrom("auditSeal")
    .select("hash")
    .where("position", "=", 3)
    .executeTakeFirstOrThrow();
  expect(all.find(({ id }) => id === "3")).toStrictEqual({
    id: "3",
    occurredAt: expect.any(Date),
    actor: { kind: "user", id: "u2" },
    subject: { kind: "session", id: "s2" },
    action: "user.created",
    outcome: "success",
    address: "192.0.2.2",
    requestId: "r0",
    before: { index: 2 },
    after: { index: { next: 3 } },
    seal: { position: 3, hash: sealed.hash.toString("hex") },
  });
});

test("finds one of several actors or subjects, a part of the action, and counts", async () => {
  const actors = ["u1", "u3"];
  const byActors = all.filter(({ actor }) => actors.includes(actor.id ?? ""));
  const page = await list({ actorId: [...actors, "u1"], limit: 2, counts: "true" });
  expect(idsOf(page.entries)).toEqual(idsOf(byActors.slice(0, 2)));
  expect(page.total).toBe(byActors.length);
  expect(idsOf(await walk({ actorId: actors, subjectId: ["s1", "s2"], limit: 5 }))).toEqual(
    idsOf(byActors.filter(({ subject }) => ["s1", "s2"].includes(subject.id))),
  );
  expect(idsOf(await walk({ actionPart: "role", limit: 7 }))).toEqual(
    idsOf(all.filter(({ action }) => action.includes("role"))),
  );
  expect(idsOf(await walk({ actionPart: "ser role" }))).toEqual(
    idsOf(all.filter(({ action }) => action.includes("user.role"))),
  );
  expect(await list({ actionPart: "of nothing", counts: "true" })).toEqual({
    entries: [],
    total: 0,
  });
  expect((await list({ counts: "true", limit: 1 })).total).toBe(count);
});

test("returns null for a missing seal, missing states and a missing actor id", () => {
  const unsealed = all.filter(({ seal }) => seal === null);
  expect(idsOf(unsealed).toSorted()).toEqual([String(count - 1), String(count)]);
  expect(all.find(({ id }) => id === "2")).toMatchObject({ before: null, after: null });
  expect(all.find(({ id }) => id === "1")).toMatchObject({ actor: { kind: "system", id: null } });
});

test.each([1, 2, "7", 119, 120, 121, 1_000])(
  "pages of %s return each entry exactly once",
  async (limit) => {
    expect(idsOf(await walk({ limit }))).toEqual(idsOf(all));
  },
);

describe("a search", () => {
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  const fits = (query: AuditQuery) => (one: AuditListEntry) => {
    const { actorId, subjectId, action, outcome, address, requestId, from, to } = query;
    return (
      (!actorId || one.actor.id === actorId) &&
      (!subjectId || one.subject.id === subjectId) &&
      (!action || one.action.startsWith(action)) &&
      (!outcome || one.outcome === outcome) &&
      (!address || one.address === address) &&
      (!requestId || one.requestId === requestId) &&
      (!from || one.occurredAt >= new Date(from)) &&
      (!to || one.occurredAt <= new Date(to))
    );
  };
  const parts: AuditQuery[] = [
    { actorId: "u3" },
    { subjectId: "s4" },
    { action: "user." },
    { action: "session.created" },
    { action: "s" },
    { outcome: "refused" },
    { outcome: "success" },
    { address: "192.0.2.4" },
    { requestId: "r7" },
    { from: at(10) },
    { to: at(40) },
    { from: at(10), to: at(40) },
  ];
  const pairs = parts.flatMap((one, index) =>
    parts.slice(index + 1).map((other) => Object.assign({}, one, other)),
  );

  test.each([...parts, ...pairs].map((query) => [JSON.stringify(query), query] as const))(
    "by %s returns all matching entries, newest first",
    async (_text, query) => {
      const expected = idsOf(all.filter(fits(query)));
      for (const limit of [3, 1_000])
        expect(idsOf(await walk({ ...query, limit }))).toEqual(expected);
    },
  );

  test("has matches for each criterion of these tests", () => {
    for (const query of parts) expect(all.some(fits(query))).toBe(true);
  });

  test("treats an action prefix as text, not as a pattern", async () => {
    expect(idsOf(await walk({ action: "user.role_" }))).toEqual(
      idsOf(all.filter(({ action }) => action === "user.role_changed")),
    );
    expect(await walk({ action: "%" })).toEqual([]);
    expect(await walk({ action: "user_role" })).toEqual([]);
    expect(await walk({ action: "\\" })).toEqual([]);
  });

  test("ignores empty criteria", async () => {
    const none = { actorId: "", subjectId: "", action: "", address: "", requestId: "" };
    expect(idsOf(await walk(none))).toEqual(idsOf(all));
  });

  test("finds nothing for unknown values", async () => {
    expect(await list({ address: "198.51.100.1" })).toStrictEqual({ entries: [] });
    expect(await list({ requestId: "r", action: "user." })).toStrictEqual({ entries: [] });
    expect(await list({ actorId: "nobody" })).toStrictEqual({ entries: [] });
    expect(await list({ subjectId: "nobody", action: "user." })).toStrictEqual({ entries: [] });
  });

  test("includes a whole day, and a time to the millisecond", async () => {
    const day = new Date(start).toISOString().slice(0, 10);
    expect(idsOf(await walk({ from: day, to: day }))).toEqual(idsOf(all));
    expect(await walk({ to: "2030-01-01" })).toEqual([]);
    expect(await walk({ from: "2030-01-03" })).toEqual([]);
    const [newest] = all;
    const moment = newest?.occurredAt.toISOString() ?? "";
    const same = all.filter(({ occurredAt }) => occurredAt.toISOString() === moment);
    expect(idsOf(await walk({ from: moment, to: moment }))).toEqual(idsOf(same));
  });
});

/** Attack: a filter that reads the whole log for each request would occupy the database. */
describe("among many entries", () => {
  const many = 30_000;
  let large: OpenedAudit;
  beforeAll(async () => {
    large = await openAudit();
    await sql`
      insert into kit.audit (occurred_at, actor_kind, actor_id, subject_kind, subject_id, action, outcome, address, request_id)
      select timestamptz '2030-01-01' + n * interval '1 second', 'user', 'a' || n % 500, 'session', 's' || n % 300,
        case when n % 2 = 0 then 'session.created' else 'session.revoked' end, 'success',
        case when n % 3000 = 7 then '192.0.2.7' else '192.0.2.1' end, 'r' || n / 3
      from generate_series(1, ${many}::int) as n`.execute(large.db);
    await sql`analyze kit.audit`.execute(large.db);
  });
  afterAll(() => large.close());

  /** Returns the numbers of scans and of read rows of a connection, which include those of earlier transactions. */
  const readEffort = async (trx: Kysely<KitTables>) => {
    const { rows } = await sql<{ scans: number; looked: number }>`
      select seq_scan as scans, seq_tup_read + idx_tup_fetch as looked
      from pg_stat_xact_user_tables where relid = 'kit.audit'::regclass`.execute(trx);
    return rows[0] ?? { scans: 0, looked: 0 };
  };

  /** Returns the number of entries that a list found, and the effort that it took. */
  const readBy = (query: AuditQuery) =>
    large.db.transaction().execute(async (trx) => {
      const before = await readEffort(trx);
      const answer = await listAudit({ db: trx, schema }, { query: { limit: 20, ...query } });
      if ("redirect" in answer) throw new Error("unexpected redirect");
      const after = await readEffort(trx);
      return {
        found: answer.reply.entries.length,
        scans: after.scans - before.scans,
        looked: after.looked - before.looked,
      };
    });

  test.each<[AuditQuery, number]>([
    [{ address: "192.0.2.7" }, 10],
    [{ address: "192.0.2.1" }, 20],
    [{ address: "192.0.2.1", action: "session.c" }, 20],
    [{ address: "192.0.2.1", from: "2030-01-01T01:00:00Z", to: "2030-01-01T01:00:09Z" }, 10],
    [{ address: "192.0.2.9" }, 0],
    [{ requestId: "r50" }, 3],
    [{ requestId: "r50", address: "192.0.2.1", action: "session.", outcome: "success" }, 3],
    [{ requestId: "unknown" }, 0],
    [{ actorId: "a7", address: "192.0.2.7" }, 10],
    [{ actorId: "a8", address: "192.0.2.7" }, 0],
  ])("%j reads few of them, by an index", async (query, found) => {
    const read = await readBy(query);
    expect(read).toMatchObject({ found, scans: 0 });
    expect(read.looked).toBeLessThan(150);
  });
});

test.each([
  [{ limit: "-1" }, "limit"],
  [{ limit: 1_001 }, "limit"],
  [{ cursor: "nonsense" }, "cursor"],
  [
    { cursor: writeCursor({ by: "createdAt", direction: "desc" }, { key: new Date(), id: "1" }) },
    "cursor",
  ],
  [
    { cursor: writeCursor({ by: "occurredAt", direction: "desc" }, { key: "yesterday", id: "1" }) },
    "cursor",
  ],
  [
    {
      cursor: writeCursor({ by: "occurredAt", direction: "desc" }, { key: new Date(), id: "one" }),
    },
    "cursor",
  ],
  [
    {
      cursor: writeCursor(
        { by: "occurredAt", direction: "desc" },
        { key: new Date(), id: "9".repeat(16) },
      ),
    },
    "cursor",
  ],
])("rejects %j and names the field", async (query, path) => {
  const trial = list(query);
  await expect(trial).rejects.toThrow(WireError);
  await expect(trial).rejects.toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path }] });
});
