import { createTestDatabase, expectNoLeaks } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from "vitest";
import { createLogger } from "../observe/logger.ts";
import type { Slots } from "./compile-once.ts";
import { compileTogether } from "./compile-together.ts";
import { createDatabase } from "./database.ts";
import { createPostgresPool } from "./postgres-pool.ts";

expectNoLeaks("file");

interface Tables {
  note: { id: number; authorName: string; madeAt: Date; size: number };
}

interface Asked {
  authorName: string;
  until: Date;
  limit: number;
}

/** Divides by the size, so that a note without one makes the statement fail. */
const listNotes = compileTogether(
  { authorName: "text", until: "timestamptz" },
  (db: Kysely<Tables>, { authorName, until, limit }: Slots<Asked>) =>
    db
      .selectFrom("note")
      .select(["id", "authorName", sql<number>`100 / size`.as("share")])
      .where("authorName", "=", authorName)
      .where("madeAt", "<", until)
      .orderBy("madeAt", "desc")
      .limit(limit),
);

const authors = Array.from({ length: 16 }, (_, index) => `author${index}`);
const notesEach = 3;
const later = new Date("2040-01-01");
const madeAt = (place: number) => new Date(Date.UTC(2030, 0, 1 + place));

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Kysely<Tables>;

beforeAll(async () => {
  database = await createTestDatabase({
    baseUrl: inject("databaseUrl"),
    template: { name: "empty", hash: "1", build: async () => {} },
  });
  const logger = createLogger({ service: "test", level: "silent" });
  const pool = createPostgresPool({ url: database.url, max: 4, logger, applicationName: "test" });
  db = createDatabase<Tables>({ pool, schema: "sample", preparedStatements: true });
  await sql`create schema sample`.execute(db);
  await sql`create table sample.note (id int, author_name text, made_at timestamptz, size int)`.execute(
    db,
  );
  // The notes of an author are not adjacent, and their times are not in the order of their ids.
  const notes = Array.from({ length: notesEach }, (_, note) =>
    authors.map((authorName, author) => ({
      id: author * notesEach + note,
      authorName,
      madeAt: madeAt((note * 2) % notesEach),
      size: 1,
    })),
  );
  await db
    .insertInto("note")
    .values([...notes.flat(), { id: 99, authorName: "broken", madeAt: madeAt(0), size: 0 }])
    .execute();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const askedOf = (authorName: string, own: Partial<Asked> = {}): Asked => ({
  authorName,
  until: later,
  limit: 10,
  ...own,
});
const idsOf = (author: number) => [1, 2, 0].map((note) => author * notesEach + note);
const countStatements = () => vi.spyOn(pg.Client.prototype, "query");

test("16 concurrent calls share a statement, and each gets its own rows in order", async () => {
  const statements = countStatements();
  const notesByCall = await Promise.all(authors.map((name) => listNotes.rows(db, askedOf(name))));
  expect(notesByCall).toEqual(
    authors.map((authorName, author) =>
      idsOf(author).map((id) => ({ id, authorName, share: 100 })),
    ),
  );
  expect(statements).toHaveBeenCalledTimes(1);
});

test("a call alone gives the same rows", async () => {
  const [together] = await Promise.all(
    ["author3", "author4"].map((name) => listNotes.rows(db, askedOf(name))),
  );
  expect(await listNotes.rows(db, askedOf("author3"))).toEqual(together);
});

test("equal calls, and calls without rows, get their own result", async () => {
  const names = ["author1", "nobody", "author1"];
  const firstNotes = await Promise.all(names.map((name) => listNotes.first(db, askedOf(name))));
  expect(firstNotes.map((note) => note?.id)).toEqual([idsOf(1)[0], undefined, idsOf(1)[0]]);
  expect(firstNotes[0]).not.toBe(firstNotes[2]);
});

test("calls with different limits are apart", async () => {
  const statements = countStatements();
  const calls = [1, 2, 1, 2].map((limit, author) => askedOf(`author${author}`, { limit }));
  const notesByCall = await Promise.all(calls.map((one) => listNotes.rows(db, one)));
  expect(notesByCall.map((rows) => rows.map(({ id }) => id))).toEqual(
    calls.map(({ limit }, author) => idsOf(author).slice(0, limit)),
  );
  expect(statements).toHaveBeenCalledTimes(2);
});

test("each key of a call counts", async () => {
  const calls = [0, 1, 2].map((day) => askedOf("author5", { until: madeAt(day) }));
  const notesByCall = await Promise.all(calls.map((one) => listNotes.rows(db, one)));
  expect(notesByCall.map(({ length }) => length)).toEqual([0, 1, 2]);
});

test("a call sees what was committed before it, also during another", async () => {
  const first = Promise.all(authors.map((name) => listNotes.rows(db, askedOf(name))));
  await new Promise<void>((resolve) => void setImmediate(resolve));
  await db
    .insertInto("note")
    .values({ id: 100, authorName: "late", madeAt: madeAt(0), size: 1 })
    .execute();
  const second = await Promise.all(
    ["late", "author0"].map((name) => listNotes.rows(db, askedOf(name))),
  );
  expect(second.map(({ length }) => length)).toEqual([1, notesEach]);
  await first;
});

test("a failed statement rejects its calls, and no others", async () => {
  const calls = [
    askedOf("broken"),
    askedOf("author0"),
    askedOf("author1", { limit: 1 }),
    askedOf("author2", { limit: 1 }),
  ];
  const settled = await Promise.allSettled(calls.map((one) => listNotes.rows(db, one)));
  expect(settled.map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
});

test("a call in a transaction sees its changes, and shares no statement", async () => {
  const counts = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("note").where("authorName", "=", "author7").execute();
    const [inside, outside] = await Promise.all([
      listNotes.rows(trx, askedOf("author7")),
      listNotes.rows(db, askedOf("author7")),
    ]);
    return [inside.length, outside.length];
  });
  expect(counts).toEqual([0, notesEach]);
});
