import { operations } from "@latchkey/contracts";
import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import type { Kysely } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestDeps,
  identityConfig,
  newUser,
  openIdentityDatabase,
} from "../db/test-identity.fixture.ts";
import type { Tables } from "../db/tables.ts";
import { findUserById, insertUser } from "../users/queries.ts";
import { advanceRevision } from "./advance-revision.ts";
import { createRevisionSignal } from "./revision-records.ts";
import { followUserRevisions, sweepRevisions } from "./follow-user-revisions.ts";
import { publishRevision } from "./queries.ts";

expectNoLeaks("file");

const clock = createTestClock();
const config = identityConfig({ session: { cookieCache: { enabled: true, maxAge: 300 } } });
const lifetimeMs = 420_000;
const writers = 16;
const changesEach = 20;

const { db } = await openIdentityDatabase(writers + 2);
beforeEach(async () => {
  await db.deleteFrom("userEpoch").execute();
});

const neverWaits = { next: async () => false, wake: () => {} };
const caller = {
  requestId: "r",
  operation: operations.identity.followUserRevisions.name,
  baseUrl: "",
  address: "",
  userAgent: "",
  service: "gateway",
};

const follow = async (after: string | null, revisionSignal = neverWaits) => {
  const answer = await followUserRevisions(
    { ...createTestDeps({ config, db, clock: clock.now }), revisionSignal },
    { caller, params: undefined, query: undefined, body: { after }, session: undefined },
  );
  if (!("reply" in answer)) throw new Error("it redirects");
  return answer.reply;
};
const publish = (userId: string, epoch: number, trx: Kysely<Tables> = db) =>
  publishRevision(trx, { userId, epoch, now: new Date(clock.now()) });

describe("a follower", () => {
  test("receives each change once, and only the latest", async () => {
    await publish("a", 1);
    await publish("a", 2);
    const first = await follow(null);
    expect(first.epochs).toEqual([{ userId: "a", epoch: 2 }]);
    await publish("b", 7);
    const second = await follow(first.position);
    expect(second.epochs).toEqual([{ userId: "b", epoch: 7 }]);
    expect((await follow(second.position)).epochs).toEqual([]);
  });

  test("never receives a lower revision", async () => {
    await publish("a", 6);
    const { position } = await follow(null);
    await publish("a", 5);
    expect((await follow(position)).epochs).toEqual([{ userId: "a", epoch: 6 }]);
  });

  test("misses no transaction that commits late, and receives nothing twice meanwhile", async () => {
    const start = await follow(null);
    const late = await db.startTransaction().execute();
    await publish("late", 1, late);
    await publish("early", 1);
    const first = await follow(start.position);
    expect(first.epochs).toEqual([{ userId: "early", epoch: 1 }]);
    const second = await follow(first.position);
    expect(second.epochs).toEqual([]);
    await late.commit().execute();
    expect((await follow(second.position)).epochs).toEqual([{ userId: "late", epoch: 1 }]);
  });

  test("receives the change of an older transaction after that of a younger one", async () => {
    const older = await db.startTransaction().execute();
    await publish("another", 1, older);
    await publish("a", 5);
    const { position } = await follow(null);
    await publish("a", 6, older);
    await older.commit().execute();
    expect((await follow(position)).epochs).toContainEqual({ userId: "a", epoch: 6 });
  });

  test("receives nothing of a rolled-back transaction", async () => {
    const { position } = await follow(null);
    const undone = await db.startTransaction().execute();
    await publish("a", 1, undone);
    await undone.rollback().execute();
    expect((await follow(position)).epochs).toEqual([]);
  });

  test("misses nothing of sixteen concurrent writers", async () => {
    const latest = new Map<string, number>();
    let { position } = await follow(null);
    const listen = async () => {
      const changes = await follow(position);
      position = changes.position;
      for (const { userId, epoch } of changes.epochs) latest.set(userId, epoch);
    };
    let isWriting = true;
    const write = async (_: unknown, writer: number) => {
      for (let epoch = 1; epoch <= changesEach; epoch += 1)
        await db.transaction().execute(async (trx) => {
          await publish(`own ${writer}`, epoch, trx);
          await publish("of all", writer * changesEach + epoch, trx);
        });
    };
    const written = Promise.all(Array.from({ length: writers }, write)).finally(() => {
      isWriting = false;
    });
    while (isWriting) await listen();
    await written;
    await listen();
    const expected = Array.from({ length: writers }, (_, index) => [`own ${index}`, changesEach]);
    expect(Object.fromEntries(latest)).toEqual(
      Object.fromEntries([...expected, ["of all", writers * changesEach]]),
    );
  });

  test("that waits gets a reply as soon as there is a change", async () => {
    const { position } = await follow(null);
    const signal = createRevisionSignal();
    let isWaiting = () => {};
    const waits = new Promise<void>((resolve) => {
      isWaiting = resolve;
    });
    const answer = follow(position, {
      ...signal,
      next: () => {
        isWaiting();
        return signal.next(60_000);
      },
    });
    await waits;
    await publish("a", 1);
    signal.wake();
    expect((await answer).epochs).toEqual([{ userId: "a", epoch: 1 }]);
  });

  test("without a position receives all revisions that a cached session may still be older than", async () => {
    await publish("old", 1);
    clock.advance(1);
    await publish("young", 1);
    clock.advance(lifetimeMs);
    expect((await follow(null)).epochs).toEqual([{ userId: "young", epoch: 1 }]);
  });

  /** A server that was promoted without the last transactions assigns their numbers again. */
  test("with a position ahead of the server receives everything again", async () => {
    await publish("a", 1);
    expect((await follow("999999999:999999999:")).epochs).toEqual([{ userId: "a", epoch: 1 }]);
  });
});

describe("the revision of a user", () => {
  const advance = (userId: string) =>
    advanceRevision(createTestDeps({ config, db, clock: clock.now }), db, {
      userId,
      caller: undefined,
    });

  test("follows the user's revision", async () => {
    const user = await insertUser(db, newUser());
    const { position } = await follow(null);
    await advance(user?.id ?? "");
    const revision = (await findUserById(db, user?.id ?? ""))?.revision;
    expect(revision).toBeGreaterThan(user?.revision ?? Number.NaN);
    expect((await follow(position)).epochs).toEqual([{ userId: user?.id, epoch: revision }]);
  });

  test("of a deleted user is higher than any other", async () => {
    const { position } = await follow(null);
    await advance("nobody");
    expect((await follow(position)).epochs).toEqual([
      { userId: "nobody", epoch: Number.MAX_SAFE_INTEGER },
    ]);
  });

  test("is deleted when no cached session can be older, and not before", async () => {
    await publish("a", 1);
    clock.advance(lifetimeMs);
    expect(await sweepRevisions({ clock: clock.now, config, db })).toBe(0);
    clock.advance(1);
    expect(await sweepRevisions({ clock: clock.now, config, db })).toBe(1);
  });
});
