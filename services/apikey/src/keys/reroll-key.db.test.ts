import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { mergeKeys, separateKeys } from "../merges/merge-keys.ts";
import { forgetOwner } from "../owners/owner-events.ts";
import { createUseKey } from "../verification/use-key.ts";
import { sweepExpiredKeys } from "./end-keys.ts";
import { storedKey } from "./key-text.ts";
import { openKeys, outcomeOf, tally } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const start = Date.parse("2030-01-02T03:04:05.678Z");
const day = 86_400;
const count = 16;

const fixture = await openKeys();
const depsAt = (time: number) =>
  fixture.depsWith({ tree: { apiKey: { enableMetadata: true } }, clock: () => time });
const deps = depsAt(start);

/** A used key that has a value in every field. */
const used = {
  name: "CI",
  prefix: "acme_",
  remaining: 10,
  refillAmount: 9,
  refillInterval: 30,
  rateLimitEnabled: true,
  rateLimitTimeWindow: 60_000,
  rateLimitMax: 100,
  requestCount: 2,
  lastRequest: new Date(start - 2),
  expiresAt: new Date(start + 90 * day * 1000),
  createdAt: new Date(start - 9),
  permissions: JSON.stringify({ files: ["read"] }),
  metadata: JSON.stringify({ plan: "a" }),
};

const seedOwned = async (given: Parameters<typeof seedKey>[1] = used) => {
  const person = newPerson();
  const seeded = await seedKey(fixture.db, { ...given, userId: person.user.id });
  return { ...seeded, person };
};

/** Uses a key at a time. Each process has a function of its own, as replicas do. */
const usingAt = (time: number) => {
  const useKey = createUseKey({ ...deps, clock: () => time });
  return (key: string, permissions: string | null = null) =>
    useKey({ key: storedKey(deps.config.apiKey, key), permissions, passesUnrestricted: false });
};
const use = usingAt(start);
const outcomeOfUse = async (key: string, time = start) => (await usingAt(time)(key)).outcome;

const validOf = async (uses: readonly Promise<{ outcome: string }>[]): Promise<number> =>
  (await Promise.all(uses)).filter(({ outcome }) => outcome === "valid").length;

const many = <T>(act: () => T): T[] => Array.from({ length: count }, act);

describe("a re-roll", () => {
  test("creates a key with the same owner, name, limits, permissions and metadata", async () => {
    const { id, person, key } = await seedOwned();
    const { key: text, retiredKey, ...shown } = await fixture.reroll(person, { keyId: id }, deps);
    const { createdAt: _c, updatedAt: _u, start: _s, id: _i, ...own } = shown;
    expect(own).toEqual({
      ...used,
      createdAt: undefined,
      lastRefillAt: used.createdAt,
      userId: person.user.id,
      enabled: true,
      permissions: { files: ["read"] },
      metadata: { plan: "a" },
    });
    expect(shown).toMatchObject({ createdAt: new Date(start), start: text.slice(0, 6) });
    expect(text).toMatch(/^acme_[A-Za-z]{64}$/);
    expect(text).not.toBe(key);
    expect(retiredKey).toEqual({ id, expiresAt: new Date(start + day * 1000) });
    expect(await fixture.get(person, id)).toMatchObject({
      successorId: shown.id,
      expiresAt: new Date(start + day * 1000),
    });
    expect(await fixture.get(person, shown.id)).toEqual(shown);
  });

  test("is in the audit of both keys, without their text", async () => {
    const { id, person } = await seedOwned({ name: "CI" });
    const { id: successorId, key } = await fixture.reroll(person, { keyId: id }, deps);
    const actor = { actorKind: "user", actorId: person.user.id };
    expect(await fixture.auditOf(id)).toEqual([
      {
        ...actor,
        action: "api-key.rerolled",
        before: { enabled: true, expiresAt: null, successorId: null },
        after: {
          enabled: true,
          expiresAt: new Date(start + day * 1000).toISOString(),
          successorId,
        },
      },
    ]);
    const [created] = await fixture.auditOf(successorId);
    expect(created).toMatchObject({
      ...actor,
      action: "api-key.created",
      after: { predecessorId: id, name: "CI" },
    });
    for (const secret of [key, storedKey(deps.config.apiKey, key)])
      expect(JSON.stringify(created)).not.toContain(secret);
  });

  test("succeeds once among sixteen, and creates one successor", async () => {
    const { id, person, userId } = await seedOwned();
    expect(await tally(many(() => fixture.reroll(person, { keyId: id }, deps)))).toEqual({
      done: 1,
      KEY_RETIRED: count - 1,
    });
    const keys = await fixture.db
      .selectFrom("apiKey")
      .select("id")
      .where("userId", "=", userId)
      .execute();
    expect(keys).toHaveLength(2);
  });

  test("is refused for the keys of others, and for expired and unknown keys", async () => {
    const [mine, other] = [await seedOwned(), await seedOwned()];
    const expired = await seedOwned({ expiresAt: new Date(start - 1) });
    const rerolls: [typeof mine.person, string][] = [
      [mine.person, other.id],
      [expired.person, expired.id],
      [mine.person, newTextId()],
    ];
    for (const [person, keyId] of rerolls)
      expect(await outcomeOf(fixture.reroll(person, { keyId }, deps))).toBe("KEY_NOT_FOUND");
    expect(await outcomeOfUse(other.key)).toBe("valid");
  });

  /** Attack: an owner lifts the block of an admin by a re-roll. */
  test("does not lift the block of an admin", async () => {
    const { id, person } = await seedOwned({ disabledByAdmin: true });
    const { key, enabled } = await fixture.reroll(person, { keyId: id }, deps);
    expect(enabled).toBe(false);
    expect(await outcomeOfUse(key)).toBe("disabled");
  });

  /** Attack: an owner extends a key whose lifetime a service has set. */
  test.each([true, null])("keeps the lock on a lifetime: %j", async (lifetimeLocked) => {
    const { id, person } = await seedOwned({ ...used, lifetimeLocked });
    const { id: keyId } = await fixture.reroll(person, { keyId: id }, deps);
    expect(await outcomeOf(fixture.update(person, { keyId, expiresIn: 91 * day }, deps))).toBe(
      "EXPIRES_IN_IS_TOO_LARGE",
    );
  });

  /** Attack: an owner keeps a key with an admin's permissions forever by re-rolling and extending it. */
  test("counts the maximum lifetime from the creation of the first key", async () => {
    const tree = { apiKey: { keyExpiration: { maxExpiresIn: 30 } } };
    const at = (days: number) => fixture.depsWith({ tree, clock: () => start + days * day * 1000 });
    const expiresAt = new Date(start + 30 * day * 1000);
    const first = await seedOwned({ createdAt: new Date(start), expiresAt });
    const { person } = first;
    const { id: second } = await fixture.reroll(person, { keyId: first.id }, at(10));
    const { id: keyId } = await fixture.reroll(person, { keyId: second }, at(20));
    const extend = (days: number) =>
      outcomeOf(fixture.update(person, { keyId, expiresIn: days * day }, at(20)));
    expect(await extend(11)).toBe("EXPIRES_IN_IS_TOO_LARGE");
    expect(await extend(10)).toBe("done");
    expect((await fixture.rowOf(keyId))?.expiresAt).toEqual(expiresAt);
  });

  test("leaves no key behind when the owner is deleted meanwhile", async () => {
    const { id, person, userId } = await seedOwned();
    const event = { name: "user.deleted" as const, id: newTextId(), version: 1 };
    await Promise.all([
      forgetOwner(deps, { ...event, occurredAt: "2030-01-02T03:04:05.678Z", data: { userId } }),
      ...many(() => outcomeOf(fixture.reroll(person, { keyId: id }, deps))),
    ]);
    const keys = await fixture.db
      .selectFrom("apiKey")
      .select("id")
      .where("userId", "=", userId)
      .execute();
    expect(keys).toEqual([]);
    expect(await outcomeOf(fixture.reroll(person, { keyId: id }, deps))).toBe("KEY_NOT_FOUND");
  });
});

describe("a retired key", () => {
  test("is valid until the overlap ends, and expired afterwards", async () => {
    const { id, person, key } = await seedOwned({});
    await fixture.reroll(person, { keyId: id, overlapSeconds: 60 }, deps);
    expect(await outcomeOfUse(key, start + 60_000)).toBe("valid");
    expect(await outcomeOfUse(key, start + 60_001)).toBe("expired");
    expect(await outcomeOfUse(key, start + 60_001)).toBe("unknown");
  });

  test("never ends later than it would have without the re-roll", async () => {
    const expiresAt = new Date(start + 1_000);
    const { id, person } = await seedOwned({ expiresAt });
    const { retiredKey } = await fixture.reroll(person, { keyId: id }, deps);
    expect(retiredKey).toEqual({ id, expiresAt });
  });

  test("is refused immediately without an overlap, also by a process whose clock is late", async () => {
    const { id, person, key } = await seedOwned({});
    const successor = await fixture.reroll(person, { keyId: id, overlapSeconds: 0 }, deps);
    expect(await outcomeOfUse(key, start - 60_000)).toBe("disabled");
    expect(await outcomeOfUse(successor.key)).toBe("valid");
  });

  test("has no more uses together with its successor than one key has", async () => {
    const { id, person, key } = await seedOwned({ remaining: 10 });
    const successor = await fixture.reroll(person, { keyId: id }, deps);
    const uses = [...many(() => use(key)), ...many(() => use(successor.key))];
    expect(await validOf(uses)).toBe(10);
    expect(await outcomeOfUse(key)).toBe("expired"); // its successor was spent, and is deleted
  });

  test("has no more uses in a window together with its successor than one key has", async () => {
    const { id, person, key } = await seedOwned({ ...used, rateLimitMax: 12, remaining: 1_000 });
    const successor = await fixture.reroll(person, { keyId: id }, deps);
    const other = usingAt(start);
    const uses = [...many(() => other(key)), ...many(() => use(successor.key))];
    expect(await validOf(uses)).toBe(10); // two of twelve were used before
    expect(await use(key)).toMatchObject({ outcome: "rateLimited", row: { id } });
  });

  test("loses and doubles no use that runs during the re-roll", async () => {
    const { id, person, key } = await seedOwned({ remaining: 100 });
    const [valid, successor] = await Promise.all([
      validOf(many(() => usingAt(start)(key))),
      fixture.reroll(person, { keyId: id }, deps),
    ]);
    expect(valid).toBe(count);
    expect(await fixture.get(person, successor.id)).toMatchObject({ remaining: 100 - count });
  });

  test("is verified as itself, with the limits and permissions of its successor", async () => {
    const { id, person, userId, key } = await seedOwned();
    const successor = await fixture.reroll(person, { keyId: id }, deps);
    await fixture.updateFor(
      { keyId: successor.id, userId, permissions: { files: ["write"] } },
      deps,
    );
    expect(await use(key, JSON.stringify({ files: ["read"] }))).toMatchObject({
      outcome: "forbidden",
    });
    const verdict = await use(key, JSON.stringify({ files: ["write"] }));
    expect(verdict).toMatchObject({ outcome: "valid", row: { id, userId, remaining: 9 } });
  });

  test("follows the last of several re-rolls", async () => {
    const first = await seedOwned({ remaining: 3 });
    const second = await fixture.reroll(first.person, { keyId: first.id }, deps);
    const third = await fixture.reroll(first.person, { keyId: second.id, overlapSeconds: 0 }, deps);
    expect(await outcomeOfUse(first.key)).toBe("valid");
    expect(await outcomeOfUse(second.key)).toBe("disabled");
    expect(await outcomeOfUse(third.key)).toBe("valid");
    expect(await fixture.get(first.person, first.id)).toMatchObject({ successorId: third.id });
    expect(await fixture.get(first.person, third.id)).toMatchObject({ remaining: 1 });
  });

  test("is refused while its successor is disabled, and after its successor is deleted", async () => {
    const { id, person, key } = await seedOwned({});
    const { id: keyId } = await fixture.reroll(person, { keyId: id }, deps);
    await fixture.update(person, { keyId, enabled: false }, deps);
    expect(await outcomeOfUse(key)).toBe("disabled");
    await fixture.update(person, { keyId, enabled: true }, deps);
    expect(await outcomeOfUse(key)).toBe("valid");
    await fixture.erase(person, keyId);
    expect(await outcomeOfUse(key)).toBe("expired");
  });

  /** Attack: an owner keeps the old key by extending it. */
  test("cannot be changed, neither by its owner nor by a service", async () => {
    const { id: keyId, person, userId } = await seedOwned({});
    await fixture.reroll(person, { keyId }, deps);
    for (const change of [{ expiresIn: 300 * day }, { enabled: true }, { name: "New" }])
      expect(await outcomeOf(fixture.update(person, { keyId, ...change }, deps))).toBe(
        "KEY_RETIRED",
      );
    expect(await outcomeOf(fixture.updateFor({ keyId, userId, remaining: 9 }, deps))).toBe(
      "KEY_RETIRED",
    );
  });

  test("can be deleted early", async () => {
    const { id, person, key } = await seedOwned({});
    const successor = await fixture.reroll(person, { keyId: id }, deps);
    await fixture.erase(person, id);
    expect(await outcomeOfUse(key)).toBe("unknown");
    expect(await outcomeOfUse(successor.key)).toBe("valid");
  });
});

/** Attack: a key that is re-rolled twice during a merge leaves one that acts as the other user after the undo. */
test("the successors of a merged user's key go back by the undo, also after the sweep of the key", async () => {
  const user = newPerson();
  const { id: keyId, person: merged } = await seedOwned();
  const data = { mergeId: newTextId(), userId: user.user.id, mergedUserId: merged.user.id };
  const event = { id: newTextId(), version: 1, occurredAt: new Date(start).toISOString(), data };
  await mergeKeys(deps, event);
  const first = await fixture.reroll(user, { keyId, overlapSeconds: 0 }, deps);
  const second = await fixture.reroll(user, { keyId: first.id, overlapSeconds: 0 }, deps);
  await sweepExpiredKeys(depsAt(start + 1));
  await separateKeys(deps, { ...event, name: "user.merge-undone" });
  const keys = fixture.db.selectFrom("apiKey").select(["id", "userId"]);
  const rows = await keys.where("userId", "in", [user.user.id, merged.user.id]).execute();
  expect(rows).toEqual([{ id: second.id, userId: merged.user.id }]);
});
