import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { addUsage } from "../usage/queries.ts";
import { mergeKeys, separateKeys, sweepMerges } from "./merge-keys.ts";
import { openOwners } from "../owners/test-owners.fixture.ts";

expectNoLeaks("file");

const fixture = await openOwners({ apiKey: { enableSessionForAPIKeys: true } });

/** Creates two users, and the functions that merge and separate them. */
const openPair = () => {
  const [userId, mergedUserId] = [newTextId(), newTextId()];
  const data = { mergeId: newTextId(), userId, mergedUserId };
  const event = { id: newTextId(), version: 1, occurredAt: new Date().toISOString(), data };
  return {
    userId,
    mergedUserId,
    merge: () => mergeKeys(fixture.deps, { ...event, name: "user.merged" }),
    separate: () => separateKeys(fixture.deps, { ...event, name: "user.merge-undone" }),
  };
};

const forService = JSON.stringify({ invoice: ["read"] });

// Attack: a key of the merged user would sign in as the other one, who may have more permissions.
test("gives keys to the other user and disables those that can stand for a session, until the undo", async () => {
  const { userId, mergedUserId, merge, separate } = openPair();
  const own = await fixture.seed({ userId });
  const service = await fixture.seed({ userId: mergedUserId, permissions: forService });
  const session = await fixture.seed({ userId: mergedUserId });
  const none = { valid: 1, rateLimited: 0, exhausted: 0, expired: 0, disabled: 0, forbidden: 0 };
  const usage = { ...none, keyId: service.id, organizationId: null, day: "2030-01-01" };
  await addUsage(fixture.db, [{ ...usage, userId: mergedUserId }]);
  await merge();
  expect((await fixture.keysOf(userId)).toSorted()).toEqual(
    [own.id, service.id, session.id].toSorted(),
  );
  expect([await own.use(), await service.use(), await session.use()]).toEqual([
    "valid",
    "valid",
    "disabled",
  ]);
  const used = fixture.db.selectFrom("keyUsage").select("userId").where("keyId", "=", service.id);
  expect(await used.execute()).toEqual([{ userId }]);
  await separate();
  expect(await fixture.keysOf(userId)).toEqual([own.id]);
  expect([await service.use(), await session.use()]).toEqual(["valid", "valid"]);
});

test("changes nothing by events that arrive sixteen times, or in the wrong order", async () => {
  const twice = openPair();
  const key = await fixture.seed({ userId: twice.mergedUserId, permissions: forService });
  await Promise.all(Array.from({ length: 16 }, twice.merge));
  expect(await fixture.keysOf(twice.userId)).toEqual([key.id]);
  await Promise.all(Array.from({ length: 16 }, twice.separate));
  await twice.merge();
  expect(await fixture.keysOf(twice.mergedUserId)).toEqual([key.id]);
  const swapped = openPair();
  const other = await fixture.seed({ userId: swapped.mergedUserId });
  await swapped.separate();
  await swapped.merge();
  expect(await fixture.keysOf(swapped.mergedUserId)).toEqual([other.id]);
});

test("keeps records of merges as long as they can be undone", async () => {
  await openPair().merge();
  const count = async () =>
    (await fixture.db.selectFrom("userMerge").select("mergeId").execute()).length;
  await sweepMerges(fixture.deps);
  expect(await count()).toBeGreaterThan(0);
  await sweepMerges({ ...fixture.deps, clock: () => Date.now() + 3 * 86_400_000 });
  expect(await count()).toBe(0);
});
