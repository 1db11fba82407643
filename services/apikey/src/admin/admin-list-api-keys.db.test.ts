import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { adminListApiKeys } from "./keys.ts";
import { callBy, openAdmin, replyOf } from "./test-admin.fixture.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.apikey.adminListApiKeys>["query"];

const now = Date.parse("2030-01-02T03:04:05.678Z");

const open = async () => {
  const opened = await openAdmin({ clock: () => now });
  const list = (query: Query) =>
    replyOf(adminListApiKeys(opened.deps, callBy(opened.admin, { query })));
  const idsOf = async (query: Query) => (await list(query)).apiKeys.map(({ id }) => id);
  /** Reads all pages in sequence, as a client does. */
  const walk = async (query: Query) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, ...(cursor && { cursor }) });
      ids.push(...page.apiKeys.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    return ids;
  };
  return { ...opened, list, idsOf, walk };
};

const second = (count: number) => new Date(now + count * 1000);

const few = await open();
const many = await open();

describe("with few keys", () => {
  const fixture = few;
  const [ada, bob] = [newPerson({ name: "Ada" }), newPerson({ name: "Bob" })];
  beforeAll(async () => {
    const { id, name, email, image } = ada.user;
    fixture.knownUsers.set(id, { id, name, email, image });
    const [ofAda, ofBob] = [{ userId: ada.user.id }, { userId: bob.user.id }];
    const rows = [
      { id: "a", ...ofAda, prefix: "sk_", start: "sk_Abc", createdAt: second(5) },
      { id: "b", ...ofBob, prefix: "sk_", start: "sk_Abd", createdAt: second(4), enabled: false },
      { id: "c", ...ofAda, prefix: "sk_live_", start: "sk_liv", createdAt: second(3) },
      { id: "d", ...ofBob, start: "sk%Abc", createdAt: second(2), disabledByAdmin: true },
      { id: "e", ...ofAda, prefix: "SK_", start: null, createdAt: second(1) },
      { id: "f", ...ofBob, start: "sk\\Abc", createdAt: second(1), expiresAt: second(-1) },
    ];
    for (const row of rows) await seedKey(fixture.db, row);
    // A key is valid until exactly its expiry.
    await fixture.db
      .updateTable("apiKey")
      .set({ expiresAt: second(0) })
      .where("id", "=", "c")
      .execute();
    await fixture.db
      .updateTable("apiKey")
      .set({ enabled: false, expiresAt: second(-1) })
      .where("id", "=", "e")
      .execute();
  });

  test("lists all keys oldest first, ties by id, across pages", async () => {
    const ids = ["e", "f", "d", "c", "b", "a"];
    const downwards = { sortDirection: "desc" } as const;
    expect(await fixture.idsOf({})).toEqual(ids);
    expect(await fixture.idsOf(downwards)).toEqual(ids.toReversed());
    for (const limit of [1, "2", 5, 6]) {
      expect(await fixture.walk({ limit })).toEqual(ids);
      expect(await fixture.walk({ ...downwards, limit })).toEqual(ids.toReversed());
    }
    expect(await fixture.idsOf({ offset: 2, limit: 3 })).toEqual(["d", "c", "b"]);
    expect(await fixture.list({ offset: "9" })).toStrictEqual({ apiKeys: [], total: 6 });
  });

  test("shows each key with its owner and without its text, with one call to identity per page", async () => {
    fixture.askedUsers.length = 0;
    const { apiKeys, ...rest } = await fixture.list({ start: "sk_Ab" });
    expect(rest).toStrictEqual({ total: 2 });
    const { id, name, email, image } = ada.user;
    expect(apiKeys[1]).toStrictEqual({
      id: "a",
      name: null,
      successorId: null,
      organization: null,
      start: "sk_Abc",
      prefix: "sk_",
      userId: id,
      refillInterval: null,
      refillAmount: null,
      lastRefillAt: null,
      enabled: true,
      disabledByAdmin: false,
      rateLimitEnabled: false,
      rateLimitTimeWindow: null,
      rateLimitMax: null,
      requestCount: 0,
      remaining: null,
      lastRequest: null,
      expiresAt: null,
      createdAt: second(5),
      updatedAt: expect.any(Date),
      permissions: null,
      metadata: null,
      user: { id, name, email, image },
    });
    // Identity no longer knows this user.
    expect(apiKeys[0]).toMatchObject({ id: "b", userId: bob.user.id, user: null });
    await fixture.list({});
    expect(fixture.askedUsers.map((ids) => ids.toSorted())).toEqual(
      Array.from({ length: 2 }, () => [ada.user.id, bob.user.id].toSorted()),
    );
  });

  test("calls identity only for a page with keys", async () => {
    const read = (query: Query) => adminListApiKeys(fixture.away, callBy(fixture.admin, { query }));
    expect(await replyOf(read({ prefix: "none" }))).toEqual({ apiKeys: [], total: 0 });
    await expect(read({})).rejects.toThrow();
  });

  test.each<[Query, string[]]>([
    [{ userId: ada.user.id }, ["e", "c", "a"]],
    [{ userId: bob.user.id }, ["f", "d", "b"]],
    [{ userId: "nobody" }, []],
    [{ prefix: "sk_" }, ["b", "a"]],
    [{ prefix: "SK_" }, ["e"]],
    [{ prefix: "sk" }, []],
    [{ prefix: "" }, ["e", "f", "d", "c", "b", "a"]],
    [{ start: "sk_" }, ["c", "b", "a"]],
    [{ start: "sk_Abd" }, ["b"]],
    [{ start: "e" }, ["e"]],
    [{ start: "sk_Abdx" }, []],
    [{ start: "SK_A" }, []],
    [{ start: "s" }, ["f", "d", "c", "b", "a"]],
    // Characters with a meaning in LIKE match literally.
    [{ start: "sk%" }, ["d"]],
    [{ start: "%" }, []],
    [{ start: "sk\\" }, ["f"]],
    [{ start: "" }, ["e", "f", "d", "c", "b", "a"]],
    [{ ids: "b" }, ["b"]],
    [{ ids: ["a", "unknown", "f"] }, ["f", "a"]],
    [{ ids: ["a", "f"], userId: ada.user.id }, ["a"]],
    [{ ids: "" }, ["e", "f", "d", "c", "b", "a"]],
    [{ state: "enabled" }, ["c", "a"]],
    [{ state: "disabled" }, ["e", "d", "b"]],
    [{ state: "expired" }, ["e", "f"]],
    [{ state: "disabled", userId: bob.user.id }, ["d", "b"]],
    [{ state: "enabled", start: "sk_", prefix: "sk_live_", userId: ada.user.id }, ["c"]],
    [{ state: "enabled", prefix: "SK_" }, []],
  ])("%j finds %j, in both directions and by pages", async (query, ids) => {
    expect(await fixture.list(query)).toMatchObject({ total: ids.length });
    expect(await fixture.walk({ ...query, limit: 1 })).toEqual(ids);
    expect(await fixture.walk({ ...query, limit: 2, sortDirection: "desc" })).toEqual(
      ids.toReversed(),
    );
  });
});

describe("with the keys of two users", () => {
  const fixture = many;

  test("the lists of two users never mix", async () => {
    const [one, other] = [newTextId(), newTextId()];
    const seed = (userId: string) =>
      Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          seedKey(fixture.db, { userId, createdAt: second(index), prefix: "both_" }),
        ),
      );
    const [ofOne, ofOther] = await Promise.all([seed(one), seed(other)]);
    for (const [userId, keys] of [
      [one, ofOne],
      [other, ofOther],
    ] as const) {
      const ids = keys.map(({ id }) => id);
      for (const query of [{ userId }, { userId, prefix: "both_" }])
        for (const sortDirection of ["asc", "desc"] as const) {
          const met = await fixture.walk({ ...query, sortDirection, limit: 7 });
          expect(met.toSorted()).toEqual(ids.toSorted());
        }
    }
  });
});
