import { type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newTextId, seedKey } from "../db/test-apikey.fixture.ts";
import { adminListApiKeys } from "./admin-list-api-keys.ts";
import { callBy, openAdmin, type OpenedAdmin, replyOf } from "./test-admin.fixture.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.apikey.adminListApiKeys>["query"];

const now = Date.parse("2030-01-02T03:04:05.678Z");

const open = async () => {
  const opened = await openAdmin({ clock: () => now });
  const list = (query: Query) =>
    replyOf(adminListApiKeys(opened.deps, callBy(opened.admin, { query })));
  const idsOf = async (query: Query) => (await list(query)).apiKeys.map(({ id }) => id);
  /** Reads all pages in sequence, as a client does. Runs `between` between two pages. */
  const walk = async (query: Query, between: () => Promise<unknown> = async () => {}) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, ...(cursor && { cursor }) });
      ids.push(...page.apiKeys.map(({ id }) => id));
      cursor = page.nextCursor;
      await between();
    } while (cursor);
    return ids;
  };
  return { ...opened, list, idsOf, walk };
};
type Opened = Awaited<ReturnType<typeof open>> & OpenedAdmin;

const refusalOf = async (trial: Promise<unknown>): Promise<string | undefined> => {
  try {
    await trial;
    return undefined;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return `${error.code} ${error.issues?.[0]?.path}`;
  }
};

const second = (count: number) => new Date(now + count * 1000);

describe("with few keys", () => {
  let it: Opened;
  const [ada, bob] = [newPerson({ name: "Ada" }), newPerson({ name: "Bob" })];
  beforeAll(async () => {
    it = await open();
    const { id, name, email, image } = ada.user;
    it.knownUsers.set(id, { id, name, email, image });
    const [ofAda, ofBob] = [{ userId: ada.user.id }, { userId: bob.user.id }];
    const given = [
      { id: "a", ...ofAda, prefix: "sk_", start: "sk_Abc", createdAt: second(5) },
      { id: "b", ...ofBob, prefix: "sk_", start: "sk_Abd", createdAt: second(4), enabled: false },
      { id: "c", ...ofAda, prefix: "sk_live_", start: "sk_liv", createdAt: second(3) },
      { id: "d", ...ofBob, start: "sk%Abc", createdAt: second(2), disabledByAdmin: true },
      { id: "e", ...ofAda, prefix: "SK_", start: null, createdAt: second(1) },
      { id: "f", ...ofBob, start: "sk\\Abc", createdAt: second(1), expiresAt: second(-1) },
    ];
    for (const row of given) await seedKey(it.db, row);
    // A key is valid until exactly its expiry.
    await it.db
      .updateTable("apiKey")
      .set({ expiresAt: second(0) })
      .where("id", "=", "c")
      .execute();
    await it.db
      .updateTable("apiKey")
      .set({ enabled: false, expiresAt: second(-1) })
      .where("id", "=", "e")
      .execute();
  });
  afterAll(() => it.close());

  test("lists all keys oldest first, ties by id, across pages", async () => {
    const ids = ["e", "f", "d", "c", "b", "a"];
    const downwards = { sortDirection: "desc" } as const;
    expect(await it.idsOf({})).toEqual(ids);
    expect(await it.idsOf(downwards)).toEqual(ids.toReversed());
    for (const limit of [1, "2", 5, 6]) {
      expect(await it.walk({ limit })).toEqual(ids);
      expect(await it.walk({ ...downwards, limit })).toEqual(ids.toReversed());
    }
    expect(await it.idsOf({ offset: 2, limit: 3 })).toEqual(["d", "c", "b"]);
    expect(await it.list({ offset: "9" })).toStrictEqual({ apiKeys: [], total: 6 });
  });

  test("shows each key with its owner and without its text, with one call to identity per page", async () => {
    it.askedUsers.length = 0;
    const { apiKeys, ...rest } = await it.list({ start: "sk_Ab" });
    expect(rest).toStrictEqual({ total: 2 });
    const { id, name, email, image } = ada.user;
    expect(apiKeys[1]).toStrictEqual({
      id: "a",
      name: null,
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
    await it.list({});
    expect(it.askedUsers.map((ids) => ids.toSorted())).toEqual(
      Array.from({ length: 2 }, () => [ada.user.id, bob.user.id].toSorted()),
    );
  });

  test("calls identity only for a page with keys", async () => {
    const read = (query: Query) => adminListApiKeys(it.away, callBy(it.admin, { query }));
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
    [{ start: "sk_Abdx" }, []],
    [{ start: "SK_A" }, []],
    [{ start: "s" }, ["f", "d", "c", "b", "a"]],
    // Characters with a meaning in LIKE match literally.
    [{ start: "sk%" }, ["d"]],
    [{ start: "%" }, []],
    [{ start: "sk\\" }, ["f"]],
    [{ start: "" }, ["e", "f", "d", "c", "b", "a"]],
    [{ state: "enabled" }, ["c", "a"]],
    [{ state: "disabled" }, ["e", "d", "b"]],
    [{ state: "expired" }, ["e", "f"]],
    [{ state: "disabled", userId: bob.user.id }, ["d", "b"]],
    [{ state: "enabled", start: "sk_", prefix: "sk_live_", userId: ada.user.id }, ["c"]],
    [{ state: "enabled", prefix: "SK_" }, []],
  ])("%j finds %j, in both directions and by pages", async (query, ids) => {
    expect(await it.list(query)).toMatchObject({ total: ids.length });
    expect(await it.walk({ ...query, limit: 1 })).toEqual(ids);
    expect(await it.walk({ ...query, limit: 2, sortDirection: "desc" })).toEqual(ids.toReversed());
  });

  test("rejects invalid limits and cursors, and cursors of another order", async () => {
    const { nextCursor } = await it.list({ limit: 2 });
    if (!nextCursor) throw new Error("there is no next page");
    const refused: [Query, string][] = [
      [{ limit: "many" }, "limit"],
      [{ limit: 1_001 }, "limit"],
      [{ offset: -1 }, "offset"],
      [{ cursor: "garbage" }, "cursor"],
      [{ cursor: nextCursor, sortDirection: "desc" }, "cursor"],
      [{ cursor: Buffer.from(`["name","asc","a","b"]`).toString("base64url") }, "cursor"],
    ];
    for (const [query, path] of refused)
      expect(await refusalOf(it.list(query))).toBe(`VALIDATION_ERROR ${path}`);
  });
});

describe("with concurrent changes", () => {
  let it: Opened;
  beforeAll(async () => {
    it = await open();
  });
  afterAll(() => it.close());

  test("pages show every key that existed throughout, exactly once", async () => {
    const there: string[] = [];
    for (let index = 0; index < 60; index += 1)
      there.push((await seedKey(it.db, { createdAt: second(Math.floor(index / 7)) })).id);
    const insertSome = () =>
      Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          seedKey(it.db, { createdAt: second(index * 2 - 3) }),
        ),
      );
    const deleteOne = async () => {
      const { id } = await seedKey(it.db, { createdAt: second(4) });
      await it.db.deleteFrom("apiKey").where("id", "=", id).execute();
    };
    for (const sortDirection of ["asc", "desc"] as const) {
      let changes = Promise.resolve<unknown>(undefined);
      let rounds = 0;
      const met = await it.walk({ sortDirection, limit: 7 }, async () => {
        rounds += 1;
        // Some changes run while the next page is read.
        if (rounds <= 8) changes = Promise.all([changes, insertSome(), deleteOne()]);
      });
      await changes;
      expect(new Set(met).size).toBe(met.length);
      expect(met).toEqual(expect.arrayContaining(there));
    }
  });

  test("the lists of two users never mix", async () => {
    const [one, other] = [newTextId(), newTextId()];
    const seed = (userId: string) =>
      Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          seedKey(it.db, { userId, createdAt: second(index), prefix: "both_" }),
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
          const met = await it.walk({ ...query, sortDirection, limit: 7 });
          expect(met.toSorted()).toEqual(ids.toSorted());
        }
    }
  });
});

describe("with many keys", () => {
  let it: Opened;
  // The last third shares a prefix and an owner, as the keys of a new application would.
  beforeAll(async () => {
    it = await open();
    await sql`
      insert into apikey.api_key (id, key, user_id, prefix, start, enabled, expires_at, created_at, updated_at)
      select 'id' || number, 'key' || number,
        case when number > 24000 then 'late' else 'user' || number % 100 end,
        case when number > 24000 then 'new_' when number % 2 = 0 then 'old_' end,
        case when number > 24000 then 'new_' || chr(97 + number % 26) else 'old_' || chr(97 + number % 26) end,
        number % 1000 <> 1, case when number % 1000 = 2 then timestamptz '2020-01-01' end,
        timestamptz '2030-01-01' + number / 500 * interval '1 s', now()
      from generate_series(1, 36000) as number`.execute(it.db);
    await sql`analyze apikey.api_key`.execute(it.db);
  });
  afterAll(() => it.close());

  test.each<[Query, number]>([
    [{}, 36_000],
    [{ userId: "user7" }, 240],
    [{ userId: "late" }, 12_000],
    [{ prefix: "new_" }, 12_000],
    [{ prefix: "old_" }, 12_000],
    [{ start: "new" }, 12_000],
    [{ start: "old_" }, 24_000],
    [{ start: "o" }, 24_000],
    [{ start: "new_c" }, 461],
    [{ state: "enabled" }, 35_928],
    [{ state: "disabled" }, 36],
    [{ state: "expired" }, 36],
    [{ userId: "late", state: "enabled" }, 11_976],
    [{ prefix: "new_", state: "enabled", start: "new_" }, 11_976],
    [{ prefix: "new_", state: "disabled" }, 12],
    [{ prefix: "old_", start: "new_" }, 0],
  ])("pages list each key that matches %j once, in both directions", async (query, count) => {
    const upwards = await it.walk({ ...query, limit: 1_000 });
    expect(upwards).toHaveLength(count);
    expect(new Set(upwards).size).toBe(count);
    const downwards = await it.walk({ ...query, limit: 1_000, sortDirection: "desc" });
    expect(downwards).toEqual(upwards.toReversed());
    const offset = Math.floor(count * 0.7);
    expect(await it.idsOf({ ...query, offset, limit: 5 })).toEqual(
      upwards.slice(offset, offset + 5),
    );
  });

  test.each<[Query, number]>([
    [{ userId: "user7" }, 240],
    [{ state: "disabled" }, 36],
    [{ prefix: "none" }, 0],
  ])("the total of matches for %j is exact", async (query, total) => {
    const page = await it.list({ ...query, limit: 1 });
    expect(page.total).toBe(total);
    expect(page).not.toHaveProperty("totalIsEstimate");
  });

  test.each<[Query]>([[{}], [{ userId: "late" }], [{ start: "new" }], [{ state: "enabled" }]])(
    "the total of matches for %j is an estimate above ten thousand",
    async (query) => {
      const page = await it.list({ ...query, limit: 1 });
      expect(page.totalIsEstimate).toBe(true);
      expect(page.total).toBeGreaterThan(10_000);
    },
  );
});
