import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { openKeys, outcomeOf, tally } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const count = 16;

const fixture = await openKeys();

const seedOwned = async (given: Parameters<typeof seedKey>[1] = {}) => {
  const person = newPerson();
  const { id } = await seedKey(fixture.db, { ...given, userId: person.user.id });
  return { person, id };
};

describe("a deletion", () => {
  test("happens once for sixteen concurrent requests, with one audit entry", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { person, id } = await seedOwned({ metadata: '{"a":"hidden"}' });
      const deletions = Array.from({ length: count }, () => fixture.erase(person, id));
      expect(await tally(deletions)).toEqual({ done: 1, KEY_NOT_FOUND: count - 1 });
      expect(await fixture.rowOf(id)).toBeUndefined();
      const userId = person.user.id;
      expect(await fixture.auditOf(id)).toEqual([
        {
          actorKind: "user",
          actorId: userId,
          action: "api-key.deleted",
          before: { userId },
          after: null,
        },
      ]);
    }
  });

  test("returns success", async () => {
    const { person, id } = await seedOwned();
    expect(await fixture.erase(person, id)).toEqual({ success: true });
  });

  test("finds no unknown key and no key of another user", async () => {
    const { id } = await seedOwned();
    const { person, id: own } = await seedOwned();
    for (const other of [id, newTextId(), ""])
      expect(await outcomeOf(fixture.erase(person, other))).toBe("KEY_NOT_FOUND");
    expect(await fixture.rowOf(id)).toBeDefined();
    expect(await fixture.rowOf(own)).toBeDefined();
    expect(await fixture.auditOf(id)).toEqual([]);
  });

  test("is refused to a banned user, for any key, until the ban is over", async () => {
    const { person, id } = await seedOwned();
    const banned = newPerson({ id: person.user.id, banned: true });
    for (const keyId of [id, newTextId()])
      expect(await outcomeOf(fixture.erase(banned, keyId))).toBe("USER_BANNED");
    const over = new Date(Date.now() - 1);
    const free = newPerson({ id: person.user.id, banned: true, banExpires: over });
    expect(await outcomeOf(fixture.erase(free, id))).toBe("done");
  });
});

describe("a user", () => {
  test("reads one of their keys, also an expired one, and no others", async () => {
    const { person, id } = await seedOwned({ expiresAt: new Date(0), name: "Old" });
    const { person: other } = await seedOwned();
    const shown = await fixture.get(person, id);
    expect(shown).toMatchObject({ id, name: "Old", userId: person.user.id, enabled: true });
    expect(shown).not.toHaveProperty("key");
    expect(await outcomeOf(fixture.get(other, id))).toBe("KEY_NOT_FOUND");
    expect(await outcomeOf(fixture.get(person, newTextId()))).toBe("KEY_NOT_FOUND");
  });

  test("lists their keys oldest first, a hundred by default, with limit and offset", async () => {
    const person = newPerson();
    const userId = person.user.id;
    const base = Date.now() - 1_000_000;
    // Half of the keys share the creation time of another. They are inserted in no order.
    const seeds = Array.from({ length: 103 }, (_, index) => ({
      createdAt: new Date(base + (((index * 37) % 103) >> 1)),
      userId,
    }));
    await seedOwned();
    for (const seed of seeds) await seedKey(fixture.db, seed);
    const all = await fixture.list(person, { limit: 1_000 });
    expect(all).toHaveLength(seeds.length);
    const order = all.map(({ createdAt, id }) => ({ at: createdAt.getTime(), id }));
    expect(order).toEqual(order.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)));
    expect(all.every((key) => key.userId === userId && !("key" in key))).toBe(true);
    expect(await fixture.list(person)).toEqual(all.slice(0, 100));
    expect(await fixture.list(person, { limit: 2, offset: 100 })).toEqual(all.slice(100, 102));
    expect(await fixture.list(person, { offset: 103 })).toEqual([]);
    for (const nothing of [0, ""])
      expect(await fixture.list(person, { limit: nothing, offset: nothing })).toEqual(
        all.slice(0, 100),
      );
    expect(await fixture.list(newPerson())).toEqual([]);
  });
});
