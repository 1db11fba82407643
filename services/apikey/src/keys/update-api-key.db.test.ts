import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTextId, seedKey, serviceCaller } from "../db/test-apikey.fixture.ts";
import { createUseKey } from "../verification/use-key.ts";
import type { KeyChange } from "./key-rules.ts";
import { storedKey } from "./stored-key.ts";
import { type OpenedKeys, openKeys, outcomeOf, tally } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const start = Date.parse("2030-01-02T03:04:05.678Z");
const later = start + 5_000;
const day = 86_400;
const count = 16;

let it: OpenedKeys;
beforeAll(async () => {
  it = await openKeys();
});
afterAll(() => it.close());

const withOptions = (apiKey: object = {}) =>
  it.depsWith({ tree: { apiKey: { enableMetadata: true, ...apiKey } }, clock: () => later });

/** A key that has been used, and has something of everything. */
const used = {
  name: "CI",
  remaining: 5,
  refillAmount: 9,
  refillInterval: 3,
  lastRefillAt: new Date(start + 1),
  rateLimitEnabled: true,
  rateLimitTimeWindow: 1_000,
  rateLimitMax: 3,
  requestCount: 2,
  lastRequest: new Date(start + 2),
  expiresAt: new Date(start + day * 1000),
  createdAt: new Date(start),
  updatedAt: new Date(start),
  permissions: JSON.stringify({ files: ["read"] }),
  metadata: JSON.stringify({ plan: "a" }),
};

const seedOwned = async (given: Parameters<typeof seedKey>[1] = used) => {
  const person = newPerson();
  const userId = person.user.id;
  const { id: keyId, key } = await seedKey(it.db, { ...given, userId });
  return { person, userId, keyId, key };
};

/** What an update made of a key, by member; what it left is not there. */
const changed = async (
  keyId: string,
  update: () => Promise<{ updatedAt: Date }>,
): Promise<Record<string, unknown>> => {
  const before = await it.rowOf(keyId);
  const shown = await update();
  const after = await it.rowOf(keyId);
  if (!before || !after) throw new Error("there is no such key");
  expect(shown).toMatchObject({ id: keyId, updatedAt: after.updatedAt });
  expect(shown).not.toHaveProperty("key");
  const names = Object.keys(after) as (keyof typeof after)[];
  const isSame = (name: keyof typeof after) =>
    JSON.stringify(before[name]) === JSON.stringify(after[name]);
  return Object.fromEntries(
    names.filter((name) => !isSame(name)).map((name) => [name, after[name]]),
  );
};

const updatedAt = new Date(later);

/** A change, and what it makes of the row. */
type Change = readonly [given: Omit<KeyChange, "keyId">, made: object];
const ofOwners: readonly Change[] = [
  [{ name: "New" }, { name: "New" }],
  [{ enabled: false }, { enabled: false }],
  [{ expiresIn: 2 * day }, { expiresAt: new Date(later + 2 * day * 1000) }],
  [{ expiresIn: null }, { expiresAt: null }],
  [{ metadata: { b: [1] } }, { metadata: '{"b":[1]}' }],
  [{ metadata: null }, { metadata: null }],
  [
    { name: "New", enabled: false },
    { name: "New", enabled: false },
  ],
];
const ofServices: readonly Change[] = [
  [{ remaining: 50 }, { remaining: 50 }],
  [
    { refillAmount: 1, refillInterval: 2 },
    { refillAmount: 1, refillInterval: 2 },
  ],
  [{ rateLimitEnabled: false }, { rateLimitEnabled: false }],
  [{ rateLimitTimeWindow: 7 }, { rateLimitTimeWindow: 7 }],
  [{ rateLimitMax: 7 }, { rateLimitMax: 7 }],
  [{ permissions: { a: ["b"] } }, { permissions: { a: ["b"] } }],
  [{ permissions: {} }, { permissions: {} }],
  [{ permissions: null }, { permissions: null }],
];

describe("a change", () => {
  test.each(ofOwners)("of an owner to %j is that and no use", async (given, expected) => {
    const { person, keyId } = await seedOwned();
    const body = { keyId, ...given };
    const made = await changed(keyId, () => it.update(person, body, withOptions()));
    expect(made).toEqual({ ...expected, updatedAt });
  });

  test.each([...ofOwners, ...ofServices])(
    "of a service to %j is that and no use",
    async (given, expected) => {
      const { userId, keyId } = await seedOwned();
      const body = { keyId, userId, ...given };
      const made = await changed(keyId, () => it.updateFor(body, withOptions()));
      expect(made).toEqual({ ...expected, updatedAt });
    },
  );

  test("is answered as the owner sees the key", async () => {
    const { person, keyId } = await seedOwned();
    const shown = await it.update(person, { keyId, metadata: ["a"] }, withOptions());
    expect(shown).toEqual(await it.get(person, keyId));
    expect(shown).toMatchObject({ metadata: ["a"], permissions: { files: ["read"] } });
  });

  test("gives an expired key that is still there a new life", async () => {
    const { person, keyId } = await seedOwned({ expiresAt: new Date(start) });
    const { expiresAt } = await it.update(person, { keyId, expiresIn: day }, withOptions());
    expect(expiresAt).toEqual(new Date(later + day * 1000));
  });

  test("does not enable what an admin has disabled", async () => {
    const { person, keyId } = await seedOwned({ disabledByAdmin: true, enabled: false });
    expect(await it.update(person, { keyId, enabled: true })).toMatchObject({ enabled: false });
    expect(await it.rowOf(keyId)).toMatchObject({ disabledByAdmin: true, enabled: true });
  });

  test("is told by the audit with what was before, metadata by its name alone", async () => {
    const { person, userId, keyId } = await seedOwned();
    await it.update(person, { keyId, name: "New", metadata: { secret: "hidden" } }, withOptions());
    await it.updateFor({ keyId, userId, permissions: null, remaining: 8 });
    expect(await it.auditOf(keyId)).toEqual([
      {
        actorKind: "user",
        actorId: userId,
        action: "api-key.updated",
        before: { name: "CI", metadata: "changed" },
        after: { name: "New", metadata: "changed" },
      },
      {
        actorKind: "service",
        actorId: serviceCaller().service,
        action: "api-key.updated",
        before: { permissions: { files: ["read"] }, remaining: 5 },
        after: { permissions: null, remaining: 8 },
      },
    ]);
  });
});

describe("refused", () => {
  const refuse = async (person: Person, body: Parameters<typeof it.update>[1]) => {
    const before = await it.rowOf(body.keyId);
    const outcome = await outcomeOf(it.update(person, body));
    expect(await it.rowOf(body.keyId)).toEqual(before);
    return outcome;
  };

  test("is a key of somebody else, a service that names the wrong user, and a key that is not there", async () => {
    const { keyId } = await seedOwned();
    const { person, userId } = await seedOwned();
    for (const id of [keyId, newTextId()]) {
      expect(await refuse(person, { keyId: id, name: "" })).toBe("KEY_NOT_FOUND");
      expect(await outcomeOf(it.updateFor({ keyId: id, userId, name: "" }))).toBe("KEY_NOT_FOUND");
    }
    expect(await it.auditOf(keyId)).toEqual([]);
  });

  test.each([undefined, null, ""])("is a service that names the user %j", async (userId) => {
    const { keyId } = await seedOwned();
    expect(await outcomeOf(it.updateFor({ keyId, userId, name: "" }))).toBe("INVALID_SESSION");
  });

  test("is an owner who names another, before their limits are looked at", async () => {
    const { person, keyId } = await seedOwned();
    const { userId } = await seedOwned();
    const body = { keyId, userId, remaining: 5 };
    expect(await refuse(person, body)).toBe("INVALID_SESSION");
  });

  test("is an owner who is banned, be it of no key of theirs, until the ban is over", async () => {
    const { userId, keyId } = await seedOwned();
    const banned = newPerson({ id: userId, banned: true });
    for (const id of [keyId, newTextId()])
      expect(await refuse(banned, { keyId: id, remaining: 5 })).toBe("USER_BANNED");
    expect(await refuse(banned, { keyId, userId: newTextId() })).toBe("INVALID_SESSION");
    const banExpires = new Date(Date.now() - 1);
    const free = newPerson({ id: userId, banned: true, banExpires });
    expect(await outcomeOf(it.update(free, { keyId, name: "New" }))).toBe("done");
  });

  test.each(ofServices)("is an owner who says %j, be it of no key of theirs", async (given) => {
    const { person, userId, keyId } = await seedOwned();
    for (const named of [undefined, null, userId])
      for (const id of [keyId, newTextId()]) {
        const body = { keyId: id, userId: named, ...given };
        expect(await refuse(person, body)).toBe("SERVER_ONLY_PROPERTY");
      }
  });

  test("is a change that breaks a rule, and one of nothing", async () => {
    const { person, userId, keyId } = await seedOwned();
    expect(await refuse(person, { keyId, name: "" })).toBe("INVALID_NAME_LENGTH");
    expect(await refuse(person, { keyId, metadata: null })).toBe("METADATA_DISABLED");
    for (const named of [undefined, null, userId])
      expect(await refuse(person, { keyId, userId: named })).toBe("NO_VALUES_TO_UPDATE");
    expect(await it.auditOf(keyId)).toEqual([]);
  });
});

describe("at once", () => {
  test("with sixteen uses it loses none of them", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { person, keyId, key } = await seedOwned({ remaining: 100 });
      const { apiKey } = it.deps.config;
      const asked = {
        key: storedKey(apiKey, key),
        permissions: null,
        passesUnrestricted: false,
      };
      const uses = Array.from({ length: count }, async (_, index) => {
        const [verdict] = await Promise.all([
          createUseKey(it.deps)(asked),
          it.update(person, { keyId, name: `name ${index}` }),
        ]);
        return verdict.outcome;
      });
      expect(new Set(await Promise.all(uses))).toEqual(new Set(["valid"]));
      expect(await it.rowOf(keyId)).toMatchObject({ remaining: 100 - count });
    }
  });

  test("changes of different members all come about", async () => {
    const { person, userId, keyId } = await seedOwned();
    const deps = withOptions();
    const [own, given] = [ofOwners.slice(0, 3), ofServices.slice(0, 5)];
    await Promise.all([
      ...own.map(([change]) => it.update(person, { keyId, ...change }, deps)),
      ...given.map(([change]) => it.updateFor({ keyId, userId, ...change }, deps)),
    ]);
    const made = [...own, ...given].map(([, members]) => members);
    expect(await it.rowOf(keyId)).toMatchObject(Object.assign({}, ...made));
    expect(await it.auditOf(keyId)).toHaveLength(made.length);
  });

  test("sixteen changes of one member are told in their order, each from what the one before made", async () => {
    const { person, keyId } = await seedOwned();
    const updates = Array.from({ length: count }, (_, index) =>
      it.update(person, { keyId, name: `name ${index}` }),
    );
    await Promise.all(updates);
    const told = await it.auditOf(keyId);
    expect(told.map(({ before }) => before?.["name"])).toEqual([
      "CI",
      ...told.slice(0, -1).map(({ after }) => after?.["name"]),
    ]);
    expect(told.at(-1)?.after).toEqual({ name: (await it.rowOf(keyId))?.name });
  });

  test("with a deletion it comes too late or is deleted with the key", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { person, keyId } = await seedOwned();
      const updates = Array.from({ length: count - 1 }, () =>
        it.update(person, { keyId, name: "New" }),
      );
      const [counts, deletion] = await Promise.all([
        tally(updates),
        outcomeOf(it.erase(person, keyId)),
      ]);
      const { done = 0, KEY_NOT_FOUND: late = 0 } = counts;
      expect({ deletion, updates: done + late }).toEqual({ deletion: "done", updates: count - 1 });
      expect(await it.rowOf(keyId)).toBeUndefined();
      expect(await it.auditOf(keyId)).toHaveLength(done + 1);
    }
  });
});
