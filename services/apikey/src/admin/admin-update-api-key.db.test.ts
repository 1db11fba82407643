import { WireError } from "@latchkey/contracts";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import type { KeyChange } from "../keys/key-rules.ts";
import { outcomeOf } from "../keys/test-keys.fixture.ts";
import { storedKey } from "../keys/key-text.ts";
import { adminUpdateApiKey } from "./keys.ts";
import { callBy, openAdmin, replyOf } from "./test-admin.fixture.ts";

expectNoLeaks("file");

const later = Date.parse("2030-01-02T03:04:05.678Z");
const day = 86_400;

const fixture = await openAdmin({
  clock: () => later,
  tree: { apiKey: { enableMetadata: true } },
});

const update = (id: string, body: KeyChange) =>
  replyOf(adminUpdateApiKey(fixture.deps, callBy(fixture.admin, { params: { id }, body })));

const use = async (key: string) => {
  const keyUse = { key: storedKey(fixture.deps.config.apiKey, key), permissions: null };
  return (await fixture.deps.useKey({ ...keyUse, passesUnrestricted: false })).outcome;
};

const useManyTimes = async (key: string, times: number): Promise<number> => {
  const outcomes = await Promise.all(Array.from({ length: times }, () => use(key)));
  return outcomes.filter((outcome) => outcome === "valid").length;
};

const limited = {
  remaining: 5,
  refillAmount: 9,
  refillInterval: 3,
  rateLimitEnabled: true,
  rateLimitMax: 3,
  rateLimitTimeWindow: 1_000,
  expiresAt: new Date(later + day * 1000),
  permissions: JSON.stringify({ files: ["read"] }),
};

describe("an admin's change of a key", () => {
  test.each<[KeyChange, object]>([
    [{ name: "Till" }, { name: "Till" }],
    [{ remaining: 0 }, { remaining: 0 }],
    [{ remaining: null }, { remaining: null }],
    [
      { refillAmount: 7, refillInterval: 1 },
      { refillAmount: 7, refillInterval: 1 },
    ],
    [
      { refillAmount: null, refillInterval: null },
      { refillAmount: null, refillInterval: null },
    ],
    [{ rateLimitEnabled: false }, { rateLimitEnabled: false }],
    [
      { rateLimitMax: 8, rateLimitTimeWindow: 60_000 },
      { rateLimitMax: 8, rateLimitTimeWindow: 60_000 },
    ],
    [{ permissions: { files: ["write"] } }, { permissions: { files: ["write"] } }],
    [{ permissions: null }, { permissions: null }],
    [{ metadata: { plan: "b" } }, { metadata: { plan: "b" } }],
    [{ expiresIn: null }, { expiresAt: null }],
    [{ expiresIn: 2 * day }, { expiresAt: new Date(later + 2 * day * 1000) }],
  ])("to %j shows in the reply, and in the audit with the values before", async (body, made) => {
    const { id, userId } = await seedKey(fixture.db, limited);
    expect(await update(id, body)).toMatchObject({ id, userId, disabledByAdmin: false, ...made });
    const [entry, ...others] = await fixture.auditOf(id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ actorId: fixture.admin.user.id, action: "api-key.updated" });
    const names = Object.keys(made).toSorted();
    expect(Object.keys(entry?.before ?? {}).toSorted()).toEqual(names);
    expect(Object.keys(entry?.after ?? {}).toSorted()).toEqual(names);
  });

  test("locks a lifetime against the owner, and no other limit does", async () => {
    const [mine, other] = [await seedKey(fixture.db), await seedKey(fixture.db)];
    await update(mine.id, { expiresIn: day });
    await update(other.id, { remaining: 4 });
    const lockOf = (id: string) =>
      fixture.db
        .selectFrom("apiKey")
        .select("lifetimeLocked")
        .where("id", "=", id)
        .executeTakeFirst();
    expect(await lockOf(mine.id)).toEqual({ lifetimeLocked: true });
    expect(await lockOf(other.id)).toEqual({ lifetimeLocked: false });
  });

  test.each<[KeyChange, string]>([
    [{}, "NO_VALUES_TO_UPDATE"],
    [{ name: "" }, "INVALID_NAME_LENGTH"],
    [{ refillAmount: 5 }, "REFILL_AMOUNT_ALONE"],
    [{ refillInterval: null }, "REFILL_INTERVAL_ALONE"],
    [{ refillAmount: null, refillInterval: 5 }, "REFILL_INTERVAL_ALONE"],
    [{ expiresIn: 366 * day }, "EXPIRES_IN_IS_TOO_LARGE"],
    [{ metadata: "text" }, "INVALID_METADATA_TYPE"],
  ])("to %j is refused as %s and changes nothing", async (body, code) => {
    const { id } = await seedKey(fixture.db, limited);
    await expect(update(id, body)).rejects.toMatchObject({ code });
    expect(await fixture.auditOf(id)).toEqual([]);
  });

  /** Attack: an admin who may only disable keys gives their own key more. */
  test.each<KeyChange>([
    { permissions: { files: ["write"] } },
    { remaining: null },
    { refillAmount: 9, refillInterval: 1 },
    { rateLimitEnabled: false },
    { rateLimitMax: 9 },
    { rateLimitTimeWindow: 1 },
    { name: "New", expiresIn: null },
  ])("to %j is refused to one who may not create keys, also of the own key", async (body) => {
    const { admin } = fixture.deps.config;
    const roles = { ...admin.roles, updater: { apiKey: ["update"] } };
    const using = {
      ...fixture.deps,
      config: { ...fixture.deps.config, admin: { ...admin, roles } },
    };
    const person = newPerson({ role: "updater" });
    const { id } = await seedKey(fixture.db, { ...limited, userId: person.user.id });
    const rowOf = () =>
      fixture.db.selectFrom("apiKey").selectAll().where("id", "=", id).executeTakeFirst();
    const before = await rowOf();
    const trial = adminUpdateApiKey(using, callBy(person, { params: { id }, body }));
    expect(await outcomeOf(trial)).toBe("YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS");
    expect(await rowOf()).toEqual(before);
  });

  test("of an unknown key is not found", async () => {
    await expect(update(newTextId(), { remaining: 5 })).rejects.toThrow(
      new WireError("KEY_NOT_FOUND"),
    );
  });
});

describe("a change during sixteen uses", () => {
  test("of the rate loses none of the uses, and none is allowed beyond the limit", async () => {
    // A spent key is deleted, unless it is to be refilled.
    const refill = { refillAmount: 10, refillInterval: 10_000 };
    const { id, key } = await seedKey(fixture.db, { remaining: 10, ...refill });
    const [valid, ...shown] = await Promise.all([
      useManyTimes(key, 16),
      ...[5_000, 6_000, 7_000].map((rateLimitMax) => update(id, { rateLimitMax })),
    ]);
    expect(valid).toBe(10);
    expect(shown.map(({ rateLimitMax }) => rateLimitMax)).toEqual([5_000, 6_000, 7_000]);
  });

  test("of the remaining uses counts each use either before or after the change", async () => {
    const { id, key } = await seedKey(fixture.db, { remaining: 1_000 });
    const [valid] = await Promise.all([useManyTimes(key, 16), update(id, { remaining: 50 })]);
    const [entry] = await fixture.auditOf(id);
    const usedBefore = 1_000 - Number(entry?.before?.["remaining"]);
    expect(valid).toBe(16);
    const row = await fixture.db
      .selectFrom("apiKey")
      .select("remaining")
      .where("id", "=", id)
      .executeTakeFirst();
    expect(row).toEqual({ remaining: 50 - (valid - usedBefore) });
  });
});
