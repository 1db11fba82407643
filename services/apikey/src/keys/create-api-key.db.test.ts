import { WireError } from "@latchkey/contracts";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, serviceCaller } from "../db/test-apikey.fixture.ts";
import { storedKey } from "./key-text.ts";
import { openKeys } from "./test-keys.fixture.ts";

expectNoLeaks("file");

const start = Date.parse("2030-01-02T03:04:05.678Z");
const day = 86_400;

const fixture = await openKeys();

const withOptions = (apiKey: object) => fixture.depsWith({ tree: { apiKey }, clock: () => start });
const countOf = async (userId: string) =>
  (await fixture.db.selectFrom("apiKey").select("id").where("userId", "=", userId).execute())
    .length;
const newUser = (isBanned = false): string => {
  const id = newTextId();
  fixture.knownUsers.set(id, { isBanned });
  return id;
};

describe("a new key", () => {
  test("is returned with its text and the defaults of the options", async () => {
    const person = newPerson();
    const created = await fixture.create(person, {}, withOptions({}));
    const at = new Date(start);
    expect(created).toStrictEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^[a-zA-Z]{64}$/),
      name: null,
      start: created.key.slice(0, 6),
      prefix: null,
      userId: person.user.id,
      refillInterval: null,
      refillAmount: null,
      lastRefillAt: null,
      enabled: true,
      rateLimitEnabled: true,
      rateLimitTimeWindow: 86_400_000,
      rateLimitMax: 10,
      requestCount: 0,
      remaining: null,
      lastRequest: null,
      expiresAt: null,
      createdAt: at,
      updatedAt: at,
      permissions: null,
      metadata: null,
    });
    const { key: _, ...shown } = created;
    expect(await fixture.get(person, created.id)).toStrictEqual(shown);
  });

  test("has the values that a service sets", async () => {
    const input = {
      name: "CI",
      prefix: "ci_",
      expiresIn: 2 * day,
      metadata: { team: ["a", null] },
      remaining: 7,
      refillAmount: 9,
      refillInterval: 3,
      rateLimitEnabled: false,
      rateLimitTimeWindow: 1_000,
      rateLimitMax: 5,
      permissions: { files: ["read", "write"] },
    };
    const userId = newUser();
    const created = await fixture.createFor(
      { ...input, userId },
      withOptions({ enableMetadata: true }),
    );
    const { expiresIn, ...members } = input;
    const expiresAt = new Date(start + expiresIn * 1000);
    expect(created).toMatchObject({
      ...members,
      expiresAt,
      userId,
      start: "ci_" + created.key.slice(3, 6),
    });
    expect(created.key).toMatch(/^ci_[a-zA-Z]{64}$/);
  });

  /** A dump of the table must not contain usable keys. */
  test("is stored as a hash, without its text", async () => {
    const { id, key } = await fixture.create(newPerson(), { prefix: "pre_" });
    const row = await fixture.rowOf(id);
    expect(row?.key).toBe(storedKey({ disableKeyHashing: false }, key));
    expect(JSON.stringify(row)).not.toContain(key.slice(6));
  });

  test("is stored as text if hashing is disabled", async () => {
    const { id, key } = await fixture.create(
      newPerson(),
      {},
      withOptions({ disableKeyHashing: true }),
    );
    expect(await fixture.rowOf(id)).toMatchObject({ key });
  });

  test.each([
    [{}, {}, null, 6],
    [{}, { defaultPrefix: "app_" }, "app_", 6],
    [{ prefix: "my-" }, { defaultPrefix: "app_" }, "my-", 6],
    [{}, { defaultPrefix: "" }, null, 6],
    [{}, { startingCharactersConfig: { charactersLength: 3 } }, null, 3],
    [{}, { startingCharactersConfig: { shouldStore: false } }, null, 0],
  ])(
    "created by %j under %j shows the prefix %j and %i characters",
    async (body, options, prefix, shown) => {
      const created = await fixture.create(newPerson(), body, withOptions(options));
      expect(created.prefix).toBe(prefix);
      expect(created.key.startsWith(prefix ?? "")).toBe(true);
      expect(created.start).toBe(shown === 0 ? null : created.key.slice(0, shown));
    },
  );

  test("never shows half of a surrogate pair", async () => {
    const customKeyGenerator = () => `${"🔑".repeat(7)}${newTextId()}`;
    const options = { customKeyGenerator, defaultKeyLength: 24 };
    const created = await fixture.create(newPerson(), {}, withOptions(options));
    expect(created.start).toBe("🔑".repeat(6));
  });

  test.each([
    [{}, null],
    [{ expiresIn: null }, null],
    [{ expiresIn: day }, day],
    [{ expiresIn: 1.5 * day }, 1.5 * day],
  ])("created by %j lives %j seconds, or the options' default", async (body, seconds) => {
    const never = await fixture.create(newPerson(), body, withOptions({}));
    expect(never.expiresAt).toEqual(seconds === null ? null : new Date(start + seconds * 1000));
    const keyExpiration = { defaultExpiresIn: 2 * day, maxExpiresIn: 3 };
    const short = await fixture.create(newPerson(), body, withOptions({ keyExpiration }));
    expect(short.expiresAt).toEqual(new Date(start + (seconds ?? 2 * day) * 1000));
  });

  test.each([
    [{ maxExpiresIn: 3 }, 3 * day],
    [{ defaultExpiresIn: 4 * day, maxExpiresIn: 3 }, 3 * day],
    [{ defaultExpiresIn: 4 * day }, 4 * day],
  ])("lives no longer than %j, also without a requested lifetime", async (keyExpiration, most) => {
    const options = withOptions({ keyExpiration });
    const end = new Date(start + most * 1000);
    const userId = newUser();
    expect(await fixture.create(newPerson(), {}, options)).toMatchObject({ expiresAt: end });
    expect(await fixture.createFor({ userId }, options)).toMatchObject({ expiresAt: end });
    expect(await fixture.create(newPerson(), { expiresIn: most }, options)).toMatchObject({
      expiresAt: end,
    });
    await expect(
      fixture.create(newPerson(), { expiresIn: most + 1 }, options),
    ).rejects.toMatchObject({
      code: "EXPIRES_IN_IS_TOO_LARGE",
    });
  });

  const refill = { refillAmount: 5, refillInterval: 1 };
  test.each([
    [{}, null],
    [{ remaining: null }, null],
    [{ remaining: 0 }, 0],
    [{ remaining: 3, ...refill }, 3],
    [{ remaining: 0, ...refill }, 0],
    [{ remaining: null, ...refill }, 5],
    [refill, 5],
  ])("created by a service with %j has %j uses left", async (body, remaining) => {
    expect(await fixture.createFor({ ...body, userId: newUser() })).toMatchObject({ remaining });
  });

  test("has the rate limit of the options", async () => {
    const rateLimit = { enabled: false, timeWindow: 1_000, maxRequests: 3 };
    expect(await fixture.create(newPerson(), {}, withOptions({ rateLimit }))).toMatchObject({
      rateLimitEnabled: false,
      rateLimitTimeWindow: 1_000,
      rateLimitMax: 3,
    });
  });

  test.each([null, 0, "", false])("stores no metadata for %j", async (metadata) => {
    expect(await fixture.create(newPerson(), { metadata })).toMatchObject({ metadata: null });
  });
});

describe("permissions", () => {
  const readFiles = { files: ["read"] };
  const defaults = { files: ["list"] };

  test.each([
    ["none", undefined, null],
    ["a map", defaults, defaults],
    ["a function", () => defaults, defaults],
    ["an asynchronous function", async () => defaults, defaults],
    ["a function that returns null", () => null, null],
    ["a function that returns undefined", () => undefined, null],
  ])("default to the options' value: %s", async (_kind, defaultPermissions, permissions) => {
    const deps = withOptions({ permissions: { defaultPermissions } });
    expect(await fixture.create(newPerson(), {}, deps)).toMatchObject({ permissions });
    const userId = newUser();
    expect(await fixture.createFor({ userId, permissions: readFiles }, deps)).toMatchObject({
      permissions: readFiles,
    });
    expect(await fixture.createFor({ userId, permissions: {} }, deps)).toMatchObject({
      permissions: {},
    });
  });

  test("pass the owner and the request to the function", async () => {
    const calls: unknown[][] = [];
    const defaultPermissions = (...given: unknown[]) => {
      calls.push(given);
      return null;
    };
    const person = newPerson();
    await fixture.create(person, {}, withOptions({ permissions: { defaultPermissions } }));
    expect(calls).toEqual([[person.user.id, { method: "POST", path: "/api-key/create" }]]);
  });
});

describe("functions of the application", () => {
  const thrower = async () => {
    throw new Error("no");
  };

  test.each([
    ["customKeyGenerator", { customKeyGenerator: thrower }],
    ["defaultPermissions", { permissions: { defaultPermissions: thrower } }],
  ])("an error from %s prevents the creation", async (_name, options) => {
    const person = newPerson();
    await expect(fixture.create(person, {}, withOptions(options))).rejects.toThrow("no");
    expect(await countOf(person.user.id)).toBe(0);
  });

  test.each<[string, unknown]>([
    ["no list", { files: "read" }],
    ["a list of something else", { files: [1] }],
    ["an action without a name", { files: [""] }],
    ["a resource without a name", { "": ["read"] }],
    ["a reserved name", JSON.parse('{"__proto__":["read"]}')],
    ["too much", Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, ["read"]]))],
    ["a list", [["read"]]],
    ["text", "files"],
    ["empty text", ""],
    ["false", false],
  ])(
    "default permissions with %s prevent the creation, and the log names the option",
    async (_, given) => {
      const person = newPerson();
      const deps = withOptions({ permissions: { defaultPermissions: () => given } });
      const created = fixture.create(person, {}, deps);
      await expect(created).rejects.not.toBeInstanceOf(WireError);
      await expect(created).rejects.toThrow(/^apiKey\.permissions\.defaultPermissions.*: gave no /);
      expect(await countOf(person.user.id)).toBe(0);
    },
  );

  /** The database's own error would write the key to the log. */
  test("refuses a duplicate text without revealing it, and keeps the existing key", async () => {
    const text = newTextId();
    const options = {
      customKeyGenerator: () => text,
      defaultKeyLength: 24,
      disableKeyHashing: true,
    };
    const deps = withOptions(options);
    const [first, second] = [newPerson(), newPerson()];
    await fixture.create(first, {}, deps);
    const repeated = fixture.create(second, {}, deps);
    await expect(repeated).rejects.toThrow(
      /^apiKey.customKeyGenerator gave a key that there is already$/,
    );
    await expect(repeated).rejects.not.toHaveProperty("cause");
    expect([await countOf(first.user.id), await countOf(second.user.id)]).toEqual([1, 0]);
  });

  test("gives a text to exactly one of sixteen concurrent creators", async () => {
    const text = newTextId();
    const deps = withOptions({ customKeyGenerator: () => text, defaultKeyLength: 24 });
    const creations = Array.from({ length: 16 }, () => fixture.create(newPerson(), {}, deps));
    const settled = await Promise.allSettled(creations);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("the audit", () => {
  test("records creator and owner of a key, without its text or metadata", async () => {
    const person = newPerson();
    const deps = withOptions({ enableMetadata: true });
    const own = await fixture.create(person, { name: "CI", metadata: { secret: "hidden" } }, deps);
    const userId = newUser();
    const serviceKey = await fixture.createFor({ userId, prefix: "p_", permissions: { a: ["b"] } });
    const byUser = await fixture.auditOf(own.id);
    const byService = await fixture.auditOf(serviceKey.id);
    expect(byUser).toMatchObject([
      { actorKind: "user", actorId: person.user.id, action: "api-key.created", before: null },
    ]);
    expect(byUser[0]?.after).toMatchObject({ userId: person.user.id, name: "CI", expiresAt: null });
    expect(byService).toMatchObject([
      { actorKind: "service", actorId: serviceCaller().service, action: "api-key.created" },
    ]);
    expect(byService[0]?.after).toMatchObject({ userId, prefix: "p_", permissions: { a: ["b"] } });
    const auditText = JSON.stringify([byUser, byService]);
    for (const { key } of [own, serviceKey]) {
      expect(auditText).not.toContain(key.slice(0, 6));
      expect(auditText).not.toContain(storedKey({ disableKeyHashing: false }, key));
    }
    expect(auditText).not.toContain("hidden");
  });
});

/** Attack: somebody registers the address of a stranger, and floods that mailbox by creating keys. */
test("sixteen concurrent new keys mail their user ten times, and other users as before", async () => {
  const [person, other] = [newPerson(), newPerson()];
  const deps = withOptions({});
  const mailCount = async () => {
    const events = fixture.db.selectFrom("outbox").select("id").where("name", "=", "api-key.added");
    return (await events.execute()).length;
  };
  const before = await mailCount();
  await Promise.all(Array.from({ length: 16 }, () => fixture.create(person, {}, deps)));
  expect(await mailCount()).toBe(before + 10);
  await fixture.create(other, {}, deps);
  expect(await mailCount()).toBe(before + 11);
});
