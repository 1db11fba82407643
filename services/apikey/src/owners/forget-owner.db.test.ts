import { expectNoLeaks, until } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { sweepExpiredKeys } from "../keys/end-keys.ts";
import { addUsage } from "../usage/queries.ts";
import { forgetOwner, recordBan, sweepDepartedOwners } from "./owner-events.ts";
import { banOf, deletionOf, openOwners } from "./test-owners.fixture.ts";

expectNoLeaks("file");

const fixture = await openOwners();

const none = { valid: 0, rateLimited: 0, exhausted: 0, expired: 0, disabled: 0, forbidden: 0 };

const useOnDays = (userId: string, keyId: string, days: readonly string[]) =>
  addUsage(
    fixture.db,
    days.map((day) => ({ ...none, keyId, userId, organizationId: null, day, valid: 1 })),
  );

const usageOf = async (userId: string) => {
  const rows = await fixture.db
    .selectFrom("keyUsage")
    .select("keyId")
    .where("userId", "=", userId)
    .execute();
  return rows.map(({ keyId }) => keyId);
};

/** Inserts keys of a user, each with one day of usage. */
const seedMany = async (userId: string, count: number, expiresAt: Date | null = null) => {
  await sql`
    insert into apikey.api_key (id, key, user_id, expires_at, created_at, updated_at)
    select ${userId} || number, ${userId} || number, ${userId}, ${expiresAt}::timestamptz, now(), now()
    from generate_series(1, ${count}) as number`.execute(fixture.db);
  await sql`
    insert into apikey.key_usage (key_id, day, user_id, valid)
    select ${userId} || number, '2030-01-01', ${userId}, 1
    from generate_series(1, ${count}) as number`.execute(fixture.db);
};

const expectNothingLeft = async (userId: string, count: number) => {
  expect(await fixture.keysOf(userId)).toEqual([]);
  expect(await usageOf(userId)).toEqual([]);
  const deleted = await fixture.deletionsOf(userId);
  expect(deleted).toHaveLength(count);
  expect(new Set(deleted.map(({ subjectId }) => subjectId)).size).toBe(count);
};

test("deletes the keys and usage counts of a deleted user and no others", async () => {
  const [mine, theirs] = [await fixture.seed(), await fixture.seed()];
  for (const { userId, id } of [mine, theirs])
    await useOnDays(userId, id, ["2030-01-01", "2030-01-02"]);
  await useOnDays(mine.userId, "a deleted key", ["2030-01-01"]);
  await forgetOwner(fixture.deps, deletionOf(mine.userId));
  expect(await mine.use()).toBe("unknown");
  expect(await usageOf(mine.userId)).toEqual([]);
  expect(await theirs.use()).toBe("valid");
  expect(await usageOf(theirs.userId)).toHaveLength(2);
  expect(await fixture.deletionsOf(mine.userId)).toEqual([
    {
      actorKind: "system",
      subjectId: mine.id,
      action: "api-key.deleted",
      before: { userId: mine.userId },
      after: null,
    },
  ]);
  expect(await fixture.deletionsOf(theirs.userId)).toEqual([]);
});

test("deletes each key once when an event is delivered sixteen times at once and once more", async () => {
  const userId = newTextId();
  await seedMany(userId, 2_500);
  const event = deletionOf(userId);
  await Promise.all(Array.from({ length: 16 }, () => forgetOwner(fixture.deps, event)));
  await forgetOwner(fixture.deps, event);
  await expectNothingLeft(userId, 2_500);
});

// A process may end in the middle of the work. Completed steps stay, and the next delivery finishes the rest.
test("finishes interrupted work on the next delivery", async () => {
  const userId = newTextId();
  await seedMany(userId, 2_500);
  let callCount = 0;
  const clock = () => {
    callCount += 1;
    if (callCount > 1_500) throw new Error("the process ends");
    return Date.now();
  };
  const event = deletionOf(userId);
  await expect(forgetOwner({ ...fixture.deps, clock }, event)).rejects.toThrow("the process ends");
  expect(await fixture.keysOf(userId)).toHaveLength(1_500);
  const late = await fixture.seed({ userId });
  expect(await late.use()).toBe("unknown");
  await forgetOwner(fixture.deps, event);
  await expectNothingLeft(userId, 2_501);
});

test("deletes all keys that expire during the deletion of their owner, with one audit entry each", async () => {
  for (let round = 0; round < 3; round += 1) {
    const userId = newTextId();
    await seedMany(userId, 1_500, new Date(Date.now() - 60_000));
    await Promise.all([
      sweepExpiredKeys(fixture.deps),
      forgetOwner(fixture.deps, deletionOf(userId)),
      sweepExpiredKeys(fixture.deps),
    ]);
    await expectNothingLeft(userId, 1_500);
  }
});

test("deletes the other keys if one is deleted concurrently", async () => {
  const userId = newTextId();
  await seedMany(userId, 2_500);
  const isWaiting = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(fixture.db);
    return rows.length > 0;
  };
  const deletion = await fixture.db.transaction().execute(async (trx) => {
    await trx.deleteFrom("apiKey").where("id", "=", `${userId}1`).execute();
    const running = forgetOwner(fixture.deps, deletionOf(userId));
    await until(isWaiting, { describe: "the deletion to wait for the key" });
    return { running };
  });
  await deletion.running;
  await expectNothingLeft(userId, 2_499);
});

test("does not write uses that are counted after the deletion of their user", async () => {
  const [mine, theirs] = [await fixture.seed(), await fixture.seed()];
  await forgetOwner(fixture.deps, deletionOf(mine.userId));
  for (const row of [mine, theirs]) fixture.deps.usage.note(row, "valid");
  await fixture.deps.usage.flush();
  expect(await usageOf(mine.userId)).toEqual([]);
  expect(await usageOf(theirs.userId)).toEqual([theirs.id]);
});

test("deletes records of departed users after an hour and keeps those of banned users", async () => {
  const now = Date.now();
  const hour = 3_600_000;
  const [early, late, outlaw] = [newTextId(), newTextId(), newTextId()];
  fixture.setClock(now);
  await forgetOwner(fixture.deps, deletionOf(early));
  fixture.setClock(now + hour / 2);
  await forgetOwner(fixture.deps, deletionOf(late));
  // A repeated event does not postpone it.
  await forgetOwner(fixture.deps, deletionOf(early));
  await recordBan(fixture.deps, banOf(outlaw, { revision: 1 }));
  const listOwners = async () => {
    const rows = await fixture.db
      .selectFrom("owner")
      .select("userId")
      .where("userId", "in", [early, late, outlaw])
      .execute();
    return rows.map(({ userId }) => userId).toSorted();
  };
  fixture.setClock(now + hour);
  await sweepDepartedOwners(fixture.deps);
  expect(await listOwners()).toEqual([early, late, outlaw].toSorted());
  fixture.setClock(now + hour + 1);
  await sweepDepartedOwners(fixture.deps);
  expect(await listOwners()).toEqual([late, outlaw].toSorted());
  fixture.setClock(now);
});

// A write that began before the deletion of its user does not see it, and may end after all counts were deleted.
test("deletes counts that were written late before the user's record is deleted", async () => {
  const now = Date.now();
  const [gone, living] = [newTextId(), await fixture.seed()];
  fixture.setClock(now);
  await forgetOwner(fixture.deps, deletionOf(gone));
  const days = ["2030-01-01", "2030-01-02"];
  const late = days.map((day) => ({ ...none, keyId: "late", userId: gone, day, valid: 1 }));
  await fixture.db.insertInto("keyUsage").values(late).execute();
  await useOnDays(living.userId, living.id, days);
  fixture.setClock(now + 3_600_001);
  await sweepDepartedOwners(fixture.deps);
  expect(await usageOf(gone)).toEqual([]);
  expect(await usageOf(living.userId)).toHaveLength(2);
  fixture.setClock(now);
});

test("deletes more records of departed users than a batch holds", async () => {
  const now = Date.now();
  await sql`
    insert into apikey.owner (user_id, revision, banned, departed_at)
    select 'long gone ' || number, 0, false, ${new Date(now - 7_200_000)}::timestamptz
    from generate_series(1, 2500) as number`.execute(fixture.db);
  fixture.setClock(now);
  await sweepDepartedOwners(fixture.deps);
  const remaining = fixture.db
    .selectFrom("owner")
    .select("userId")
    .where("userId", "like", "long gone %");
  expect(await remaining.execute()).toEqual([]);
});
