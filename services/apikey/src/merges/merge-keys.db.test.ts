import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-apikey.fixture.ts";
import { addUsage } from "../usage/queries.ts";
import { sweepMerges } from "@latchkey/service-kit/merges";
import { forgetUser, mergeKeys, separateKeys } from "./merge-keys.ts";
import {
  disableKeysOfSecured,
  endKeySessions,
  endKeysOfClaimed,
  recordBan,
} from "../owners/owner-events.ts";
import { banOf, claimOf, deletionOf, openOwners } from "../owners/test-owners.fixture.ts";

expectNoLeaks("file");

const fixture = await openOwners({ apiKey: { enableSessionForAPIKeys: true } });

/** Creates two users, and the functions that merge and separate them, and that delete the merged one. By default they are new. */
const openPair = ([userId, mergedUserId] = [newTextId(), newTextId()]) => {
  const mergeId = newTextId();
  const data = { mergeId, userId, mergedUserId };
  const event = { id: newTextId(), version: 1, occurredAt: new Date().toISOString(), data };
  const happening = (at?: Date) => ({ ...event, ...(at && { occurredAt: at.toISOString() }) });
  return {
    userId,
    mergedUserId,
    merge: (at?: Date) => mergeKeys(fixture.deps, happening(at)),
    separate: (at?: Date) =>
      separateKeys(fixture.deps, { ...happening(at), name: "user.merge-undone" }),
    forgetMerged: () => {
      const deleted = { userId: mergedUserId, merge: { mergeId, userId } };
      return forgetUser(fixture.deps, { ...event, name: "user.deleted", data: deleted });
    },
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
  await Promise.all(Array.from({ length: 16 }, () => twice.merge()));
  expect(await fixture.keysOf(twice.userId)).toEqual([key.id]);
  await Promise.all(Array.from({ length: 16 }, () => twice.separate()));
  await twice.merge();
  expect(await fixture.keysOf(twice.mergedUserId)).toEqual([key.id]);
  const swapped = openPair();
  const other = await fixture.seed({ userId: swapped.mergedUserId });
  await swapped.separate();
  await swapped.merge();
  expect(await fixture.keysOf(swapped.mergedUserId)).toEqual([other.id]);
});

test("waits with a second merge of a user for the undo of the first", async () => {
  const first = openPair();
  const { userId, mergedUserId } = first;
  const key = await fixture.seed({ userId: mergedUserId, permissions: forService });
  const second = openPair([userId, mergedUserId]);
  await first.merge();
  await expect(second.merge()).rejects.toThrow("earlier merge");
  await expect(second.forgetMerged()).rejects.toThrow("earlier merge");
  await first.separate();
  await second.merge();
  await first.merge();
  expect(await fixture.keysOf(userId)).toEqual([key.id]);
});

test("merges before a deletion whose merge is late, and not again after it", async () => {
  const { userId, mergedUserId, merge, forgetMerged } = openPair();
  const key = await fixture.seed({ userId: mergedUserId, permissions: forService });
  await forgetMerged();
  await merge();
  await forgetMerged();
  expect(await fixture.keysOf(userId)).toEqual([key.id]);
});

/** Attack: a stolen key is disabled by securing a user, and the undo of the merge enables it again. */
test("enables nothing by an undo if an admin has secured one of both since", async () => {
  for (const secured of ["userId", "mergedUserId"] as const) {
    const pair = openPair();
    const session = await fixture.seed({ userId: pair.mergedUserId });
    await pair.merge();
    await disableKeysOfSecured(fixture.deps, {
      id: newTextId(),
      name: "user.secured",
      version: 1,
      occurredAt: new Date(Date.now() + 1_000).toISOString(),
      data: { userId: pair[secured] },
    });
    await pair.separate();
    expect(await fixture.keysOf(pair.mergedUserId)).toEqual([session.id]);
    expect(await session.use()).toBe("disabled");
  }
});

test("makes the user the creator of the organizations' keys of the merged one, until the undo", async () => {
  const { userId, mergedUserId, merge, separate } = openPair();
  const ofOrganization = { userId: null, organizationId: newTextId() };
  const own = await fixture.seed({ ...ofOrganization, createdBy: userId });
  const created = await fixture.seed({ ...ofOrganization, createdBy: mergedUserId });
  const creatorsOf = async () => {
    const query = fixture.db.selectFrom("apiKey").select(["id", "createdBy"]);
    const rows = await query.where("organizationId", "=", ofOrganization.organizationId).execute();
    return Object.fromEntries(rows.map(({ id, createdBy }) => [id, createdBy]));
  };
  await merge();
  expect(await creatorsOf()).toEqual({ [own.id]: userId, [created.id]: userId });
  await separate();
  expect(await creatorsOf()).toEqual({ [own.id]: userId, [created.id]: mergedUserId });
});

/** The owner of the address has claimed the user long ago, which voids the keys from before. The merged user's keys are none of those. */
test("gives keys that work to a user who was claimed after their creation, and ends them by a later claim", async () => {
  const { userId, mergedUserId, merge } = openPair();
  const claimedAt = new Date(Date.now() - 60_000);
  const createdAt = new Date(claimedAt.getTime() - 60_000);
  const seeded = { permissions: forService, createdAt };
  const key = await fixture.seed({ ...seeded, userId: mergedUserId });
  const organizationId = newTextId();
  const created = { ...seeded, userId: null, organizationId, createdBy: mergedUserId };
  const ofOrganization = await fixture.seed(created);
  await endKeysOfClaimed(fixture.deps, claimOf(userId, claimedAt));
  await merge();
  await endKeysOfClaimed(fixture.deps, claimOf(userId, claimedAt));
  // A key of an organization never stands for a session, which these uses allow.
  expect([await key.use(), await ofOrganization.use()]).toEqual(["valid", "forbidden"]);
  await endKeysOfClaimed(fixture.deps, claimOf(userId, new Date(Date.now() + 1_000)));
  expect(await fixture.keysOf(userId)).toEqual([]);
});

/** Attack: a stolen key survives because the event of its end arrives after a merge, or after the undo of one. */
test("ends the keys that a merge moved by events of before that arrive late, and no others", async () => {
  for (const isUndone of [false, true]) {
    const pair = openPair();
    const { userId, mergedUserId } = pair;
    const endedAt = new Date(Date.now() - 1_000);
    const createdAt = new Date(endedAt.getTime() - 1_000);
    const forMerged = { userId: mergedUserId, permissions: forService };
    const ofOrganization = { ...forMerged, userId: null, organizationId: newTextId() };
    const seedAll = async () => ({
      old: await fixture.seed({ ...forMerged, createdAt }),
      session: await fixture.seed({ userId: mergedUserId, createdAt }),
      created: await fixture.seed({ ...ofOrganization, createdBy: mergedUserId, createdAt }),
      recent: await fixture.seed(forMerged),
      other: await fixture.seed({ ...forMerged, userId, createdAt }),
    });
    const keys = await seedAll();
    await pair.merge();
    if (isUndone) await pair.separate();
    const secured = {
      id: newTextId(),
      name: "user.secured",
      version: 1,
      occurredAt: endedAt.toISOString(),
      data: { userId: mergedUserId },
    } as const;
    await Promise.all(
      Array.from({ length: 16 }, () => disableKeysOfSecured(fixture.deps, secured)),
    );
    const usesOf = async (all: Awaited<ReturnType<typeof seedAll>>) =>
      Promise.all(Object.values(all).map((key) => key.use()));
    const ended = ["disabled", "disabled", "disabled", "valid", "valid"];
    expect(await usesOf(keys)).toEqual(ended);
    await pair.separate();
    expect(await usesOf(keys)).toEqual(ended);
    await endKeysOfClaimed(fixture.deps, claimOf(mergedUserId, endedAt));
    expect(await usesOf(keys)).toEqual(["unknown", "unknown", "unknown", "valid", "valid"]);
  }
});

const moments = { before: -2_000, merged: 0, between: 1_000, undone: 2_000, after: 3_000 };

/** The acts on the user who stays, and what they do to a key for services and to one that can stand for a session. */
const acts = [
  {
    name: "user.claimed",
    apply: (userId: string, at: Date) => endKeysOfClaimed(fixture.deps, claimOf(userId, at)),
    uses: ["unknown", "unknown"],
  },
  {
    name: "user.secured",
    apply: (userId: string, at: Date) =>
      disableKeysOfSecured(fixture.deps, { ...claimOf(userId, at), name: "user.secured" }),
    uses: ["disabled", "disabled"],
  },
  {
    name: "key-sessions.ended",
    apply: (userId: string, at: Date) =>
      endKeySessions(fixture.deps, { ...claimOf(userId, at), name: "key-sessions.ended" }),
    uses: ["valid", "unknown"],
  },
] as const;

/** Attack: a stolen key outlives the act against it, because the events of the act, of the merge and of its undo arrive in another order. */
test.each(acts)(
  "gives keys back as $name of the meantime left them, in any order of events",
  async ({ apply, uses }) => {
    const begun = Date.now() - 10_000;
    const at = (moment: keyof typeof moments) => new Date(begun + moments[moment]);
    const orders = [
      ["merge", "act", "undo"],
      ["act", "merge", "undo"],
      ["merge", "undo", "act"],
    ] as const;
    for (const order of orders)
      for (const actAt of ["between", "after"] as const) {
        // An act of after the undo arrives after it. Others cannot be told from it.
        if (actAt === "after" && order[2] !== "act") continue;
        const { userId, mergedUserId, ...pair } = openPair();
        const seeded = { userId: mergedUserId, createdAt: at("before") };
        const service = await fixture.seed({ ...seeded, permissions: forService });
        const session = await fixture.seed(seeded);
        const steps = {
          merge: () => pair.merge(at("merged")),
          act: () => apply(userId, at(actAt)),
          undo: () => pair.separate(at("undone")),
        };
        for (const step of order) await Promise.all(Array.from({ length: 16 }, steps[step]));
        const expected = actAt === "between" ? uses : ["valid", "valid"];
        expect([actAt, order, await service.use(), await session.use()]).toEqual([
          actAt,
          order,
          ...expected,
        ]);
      }
  },
);

test("disables the own keys that go back while the user who had them is banned", async () => {
  for (const banExpires of [null, new Date(Date.now() - 3_600_000).toISOString()]) {
    const { userId, mergedUserId, merge, separate } = openPair();
    const key = await fixture.seed({ userId: mergedUserId, permissions: forService });
    const ofOrganization = { userId: null, organizationId: newTextId(), permissions: forService };
    const created = await fixture.seed({ ...ofOrganization, createdBy: mergedUserId });
    await merge();
    await recordBan(fixture.deps, banOf(userId, { banExpires }));
    await separate();
    expect(await fixture.keysOf(mergedUserId)).toEqual([key.id]);
    const isInForce = banExpires === null;
    expect([await key.use(), await created.use()]).toEqual([
      isInForce ? "disabled" : "valid",
      "forbidden",
    ]);
  }
});

/** The deletion ends each key once, and none that went back before it. */
test("ends in a race with the deletion of the user who had them either all keys or none", async () => {
  const { userId, mergedUserId, merge, separate } = openPair();
  const seeded = { userId: mergedUserId, permissions: forService };
  const keys = [await fixture.seed(seeded), await fixture.seed(seeded)];
  await merge();
  await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      index % 2 === 0 ? separate() : forgetUser(fixture.deps, deletionOf(userId)),
    ),
  );
  const uses = await Promise.all(keys.map((key) => key.use()));
  expect([
    ["valid", "valid"],
    ["unknown", "unknown"],
  ]).toContainEqual(uses);
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
