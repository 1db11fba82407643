import type { OperationInput, operations } from "@latchkey/contracts";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedKey, serviceCaller } from "../db/test-apikey.fixture.ts";
import { createUseKey } from "../verification/use-key.ts";
import { storedKey } from "./key-text.ts";
import { openKeys, outcomeOf, tally } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const start = Date.parse("2030-01-02T03:04:05.678Z");
const later = start + 5_000;
const day = 86_400;
const count = 16;

const fixture = await openKeys();

const withOptions = (apiKey: object = {}) =>
  fixture.depsWith({ tree: { apiKey: { enableMetadata: true, ...apiKey } }, clock: () => later });

/** A used key that has a value in every field. */
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
  const { id: keyId, key } = await seedKey(fixture.db, { ...given, userId });
  return { person, userId, keyId, key };
};

/** Returns the fields that an update changed. */
const changed = async (
  keyId: string,
  update: () => Promise<{ updatedAt: Date }>,
): Promise<Record<string, unknown>> => {
  const before = await fixture.rowOf(keyId);
  const shown = await update();
  const after = await fixture.rowOf(keyId);
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

type KeyChange = Omit<
  OperationInput<typeof operations.apikey.updateApiKeyFor>["body"],
  "keyId" | "userId"
>;

/** A change and its effect on the row. */
type Change = readonly [given: KeyChange, made: object];
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
  test.each(ofOwners)(
    "by an owner to %j changes only that and counts no use",
    async (given, expected) => {
      const { person, keyId } = await seedOwned();
      const body = { keyId, ...given };
      const made = await changed(keyId, () => fixture.update(person, body, withOptions()));
      expect(made).toEqual({ ...expected, updatedAt });
    },
  );

  test.each([...ofOwners, ...ofServices])(
    "by a service to %j changes only that and counts no use",
    async (given, expected) => {
      const { userId, keyId } = await seedOwned();
      const body = { keyId, userId, ...given };
      const made = await changed(keyId, () => fixture.updateFor(body, withOptions()));
      const locked = "expiresIn" in given ? { lifetimeLocked: true } : {};
      expect(made).toEqual({ ...expected, ...locked, updatedAt });
    },
  );

  test("returns the key as its owner sees it", async () => {
    const { person, keyId } = await seedOwned();
    const shown = await fixture.update(person, { keyId, metadata: ["a"] }, withOptions());
    expect(shown).toEqual(await fixture.get(person, keyId));
    expect(shown).toMatchObject({ metadata: ["a"], permissions: { files: ["read"] } });
  });

  test("extends an expired key that still exists", async () => {
    const { person, keyId } = await seedOwned({ expiresAt: new Date(start) });
    const { expiresAt } = await fixture.update(person, { keyId, expiresIn: day }, withOptions());
    expect(expiresAt).toEqual(new Date(later + day * 1000));
  });

  test("does not enable a key that an admin has disabled", async () => {
    const { person, keyId } = await seedOwned({ disabledByAdmin: true, enabled: false });
    expect(await fixture.update(person, { keyId, enabled: true })).toMatchObject({
      enabled: false,
    });
    expect(await fixture.rowOf(keyId)).toMatchObject({ disabledByAdmin: true, enabled: true });
  });

  test("is recorded in the audit with the old values, metadata only by name", async () => {
    const { person, userId, keyId } = await seedOwned();
    await fixture.update(
      person,
      { keyId, name: "New", metadata: { secret: "hidden" } },
      withOptions(),
    );
    await fixture.updateFor({ keyId, userId, permissions: null, remaining: 8 });
    expect(await fixture.auditOf(keyId)).toEqual([
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

describe("refuses", () => {
  const refuse = async (person: Person, body: Parameters<typeof fixture.update>[1]) => {
    const before = await fixture.rowOf(body.keyId);
    const outcome = await outcomeOf(fixture.update(person, body));
    expect(await fixture.rowOf(body.keyId)).toEqual(before);
    return outcome;
  };

  test("a key of another user, a service that names the wrong user, and an unknown key", async () => {
    const { keyId } = await seedOwned();
    const { person, userId } = await seedOwned();
    for (const id of [keyId, newTextId()]) {
      expect(await refuse(person, { keyId: id, name: "" })).toBe("KEY_NOT_FOUND");
      expect(await outcomeOf(fixture.updateFor({ keyId: id, userId, name: "" }))).toBe(
        "KEY_NOT_FOUND",
      );
    }
    expect(await fixture.auditOf(keyId)).toEqual([]);
  });

  test.each([undefined, null, ""])("a service that names the user %j", async (userId) => {
    const { keyId } = await seedOwned();
    expect(await outcomeOf(fixture.updateFor({ keyId, userId, name: "" }))).toBe("INVALID_SESSION");
  });

  test("an owner who names another user, before checking their limits", async () => {
    const { person, keyId } = await seedOwned();
    const { userId } = await seedOwned();
    const body = { keyId, userId, remaining: 5 };
    expect(await refuse(person, body)).toBe("INVALID_SESSION");
  });

  test("a banned owner, for any key, until the ban is over", async () => {
    const { userId, keyId } = await seedOwned();
    const banned = newPerson({ id: userId, banned: true });
    for (const id of [keyId, newTextId()])
      expect(await refuse(banned, { keyId: id, remaining: 5 })).toBe("USER_BANNED");
    expect(await refuse(banned, { keyId, userId: newTextId() })).toBe("INVALID_SESSION");
    const banExpires = new Date(Date.now() - 1);
    const free = newPerson({ id: userId, banned: true, banExpires });
    expect(await outcomeOf(fixture.update(free, { keyId, name: "New" }))).toBe("done");
  });

  test.each(ofServices)("an owner who sets %j, for any key", async (given) => {
    const { person, userId, keyId } = await seedOwned();
    for (const named of [undefined, null, userId])
      for (const id of [keyId, newTextId()]) {
        const body = { keyId: id, userId: named, ...given };
        expect(await refuse(person, body)).toBe("SERVER_ONLY_PROPERTY");
      }
  });

  test("a change that breaks a rule, and an empty one", async () => {
    const { person, userId, keyId } = await seedOwned();
    expect(await refuse(person, { keyId, name: "" })).toBe("INVALID_NAME_LENGTH");
    expect(await refuse(person, { keyId, metadata: null })).toBe("METADATA_DISABLED");
    for (const named of [undefined, null, userId])
      expect(await refuse(person, { keyId, userId: named })).toBe("NO_VALUES_TO_UPDATE");
    expect(await fixture.auditOf(keyId)).toEqual([]);
  });
});

describe("concurrently", () => {
  test("loses none of sixteen uses", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { person, keyId, key } = await seedOwned({ remaining: 100 });
      const { apiKey } = fixture.deps.config;
      const keyUse = {
        key: storedKey(apiKey, key),
        permissions: null,
        passesUnrestricted: false,
      };
      const uses = Array.from({ length: count }, async (_, index) => {
        const [verdict] = await Promise.all([
          createUseKey(fixture.deps)(keyUse),
          fixture.update(person, { keyId, name: `name ${index}` }),
        ]);
        return verdict.outcome;
      });
      expect(new Set(await Promise.all(uses))).toEqual(new Set(["valid"]));
      expect(await fixture.rowOf(keyId)).toMatchObject({ remaining: 100 - count });
    }
  });

  test("applies all changes of different fields", async () => {
    const { person, userId, keyId } = await seedOwned();
    const deps = withOptions();
    const [own, byService] = [ofOwners.slice(0, 3), ofServices.slice(0, 5)];
    await Promise.all([
      ...own.map(([change]) => fixture.update(person, { keyId, ...change }, deps)),
      ...byService.map(([change]) => fixture.updateFor({ keyId, userId, ...change }, deps)),
    ]);
    const made = [...own, ...byService].map(([, members]) => members);
    expect(await fixture.rowOf(keyId)).toMatchObject(Object.assign({}, ...made));
    expect(await fixture.auditOf(keyId)).toHaveLength(made.length);
  });

  test("records sixteen changes of one field in order, each from the previous value", async () => {
    const { person, keyId } = await seedOwned();
    const updates = Array.from({ length: count }, (_, index) =>
      fixture.update(person, { keyId, name: `name ${index}` }),
    );
    await Promise.all(updates);
    const entries = await fixture.auditOf(keyId);
    expect(entries.map(({ before }) => before?.["name"])).toEqual([
      "CI",
      ...entries.slice(0, -1).map(({ after }) => after?.["name"]),
    ]);
    expect(entries.at(-1)?.after).toEqual({ name: (await fixture.rowOf(keyId))?.name });
  });

  test("changes the key before its deletion, or fails", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { person, keyId } = await seedOwned();
      const updates = Array.from({ length: count - 1 }, () =>
        fixture.update(person, { keyId, name: "New" }),
      );
      const [counts, deletion] = await Promise.all([
        tally(updates),
        outcomeOf(fixture.erase(person, keyId)),
      ]);
      const { done = 0, KEY_NOT_FOUND: late = 0 } = counts;
      expect({ deletion, updates: done + late }).toEqual({ deletion: "done", updates: count - 1 });
      expect(await fixture.rowOf(keyId)).toBeUndefined();
      expect(await fixture.auditOf(keyId)).toHaveLength(done + 1);
    }
  });
});

describe("a lifetime", () => {
  const seconds = 5; // since the creation of the key
  const ofOptions = (keyExpiration: object) => withOptions({ keyExpiration });
  const tooLarge = { code: "EXPIRES_IN_IS_TOO_LARGE" };
  const endOf = async (keyId: string) => (await fixture.rowOf(keyId))?.expiresAt;

  test.each([
    [{ maxExpiresIn: 30 }, 30 * day],
    [{ defaultExpiresIn: 20 * day }, 20 * day],
    [{ defaultExpiresIn: 20 * day, maxExpiresIn: 30 }, 30 * day],
  ])("under %j cannot be removed and ends %i seconds after the creation", async (policy, most) => {
    const { person, keyId } = await seedOwned();
    const using = ofOptions(policy);
    for (const expiresIn of [null, most, most - seconds + 1])
      await expect(fixture.update(person, { keyId, expiresIn }, using)).rejects.toMatchObject(
        tooLarge,
      );
    expect(await endOf(keyId)).toEqual(used.expiresAt);
    await fixture.update(person, { keyId, expiresIn: most - seconds }, using);
    expect(await endOf(keyId)).toEqual(new Date(start + most * 1000));
  });

  test("beyond a later policy may be shortened step by step", async () => {
    const using = ofOptions({ maxExpiresIn: 30 });
    const { person, keyId } = await seedOwned({ ...used, expiresAt: null });
    await fixture.update(person, { keyId, expiresIn: 30 * day }, using);
    const end = later + 30 * day * 1000;
    expect(await endOf(keyId)).toEqual(new Date(end));
    await fixture.update(person, { keyId, expiresIn: 30 * day }, using);
    expect(await endOf(keyId)).toEqual(new Date(end));
    const passed = { ...using, clock: () => later + 1 };
    await expect(
      fixture.update(person, { keyId, expiresIn: 30 * day }, passed),
    ).rejects.toMatchObject(tooLarge);
    await fixture.update(person, { keyId, expiresIn: day }, passed);
  });

  test("set by a service cannot be changed by the owner in either direction", async () => {
    const person = newPerson();
    const userId = person.user.id;
    fixture.knownUsers.set(userId, { isBanned: false });
    const { id: keyId } = await fixture.createFor({ userId, expiresIn: 5 * day }, withOptions());
    const end = await endOf(keyId);
    for (const expiresIn of [null, day, 10 * day])
      await expect(
        fixture.update(person, { keyId, expiresIn }, withOptions()),
      ).rejects.toMatchObject(tooLarge);
    expect(await endOf(keyId)).toEqual(end);
    await fixture.update(person, { keyId, name: "mine" }, withOptions());
  });

  test("of a key that an earlier version made for a user cannot be changed by the owner", async () => {
    const { id: userId } = newPerson().user;
    fixture.knownUsers.set(userId, { isBanned: false });
    const person = newPerson({ id: userId });
    const mine = await fixture.create(person, {}, withOptions());
    const serviceKey = await fixture.createFor({ userId }, withOptions());
    await fixture.db
      .updateTable("apiKey")
      .set({ lifetimeLocked: null })
      .where("userId", "=", userId)
      .execute();
    await fixture.update(person, { keyId: mine.id, expiresIn: day }, withOptions());
    await expect(
      fixture.update(person, { keyId: serviceKey.id, expiresIn: day }, withOptions()),
    ).rejects.toMatchObject(tooLarge);
  });

  test("changed by a service can no longer be changed by the owner", async () => {
    const { person, userId, keyId } = await seedOwned();
    await fixture.updateFor({ keyId, userId, expiresIn: 2 * day }, withOptions());
    await expect(
      fixture.update(person, { keyId, expiresIn: null }, withOptions()),
    ).rejects.toMatchObject(tooLarge);
  });

  test("may be extended by a service, and be unlimited if the options set no maximum", async () => {
    const { userId, keyId } = await seedOwned();
    const policy = { defaultExpiresIn: day, maxExpiresIn: 30 };
    const body = { keyId, userId };
    await fixture.updateFor({ ...body, expiresIn: 30 * day }, ofOptions(policy));
    expect(await endOf(keyId)).toEqual(new Date(later + 30 * day * 1000));
    await expect(
      fixture.updateFor({ ...body, expiresIn: null }, ofOptions(policy)),
    ).rejects.toMatchObject(tooLarge);
    await fixture.updateFor({ ...body, expiresIn: null }, ofOptions({ defaultExpiresIn: day }));
    expect(await endOf(keyId)).toBeNull();
  });
});

/** Attack: the thief of an old session lets a key that ended, or soon ends, sign in again. */
test("a key that can stand for a session is enabled and extended only in a strong session", async () => {
  const deps = withOptions({ enableSessionForAPIKeys: true });
  const { person, keyId } = await seedOwned({ enabled: false, permissions: null });
  const strong = {
    ...person,
    session: {
      ...person.session,
      authentication: { authenticatedAt: new Date(later), secondFactorAt: null, methods: "" },
    },
  };
  const [enable, extend] = [{ enabled: true }, { expiresIn: 7 * day }];
  for (const change of [enable, extend])
    expect(await outcomeOf(fixture.update(person, { keyId, ...change }, deps))).toBe(
      "SESSION_IS_NOT_FRESH",
    );
  for (const change of [{ name: "Till" }, { enabled: false }])
    expect(await outcomeOf(fixture.update(person, { keyId, ...change }, deps))).toBe("done");
  for (const change of [enable, extend])
    expect(await outcomeOf(fixture.update(strong, { keyId, ...change }, deps))).toBe("done");
});
