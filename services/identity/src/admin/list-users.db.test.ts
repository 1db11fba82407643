import { type operations, WireError } from "@latchkey/contracts";
import { type Call, isUnavailable } from "@latchkey/service-kit/http";
import { countScans, expectNoLeaks } from "@latchkey/testkit";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminListUsers, type ListQuery } from "./user-list/list-users.ts";
import { conditionSql } from "../users/search/queries.ts";
import type { Tables } from "../db/tables.ts";
import {
  connectIdentity,
  createIdentityDatabase,
  createTestDeps,
  identityConfig,
  newUser,
} from "../db/test-identity.fixture.ts";
import { upsertLastSignIns } from "../refused-sign-ins/queries.ts";
import { insertUser, type NewUser } from "../users/queries.ts";
import { unsetMembers } from "../users/unset-members.fixture.ts";

expectNoLeaks("file");

const optional = { required: false };
const config = identityConfig({
  admin: {
    roles: {
      admin: { user: ["list"], session: ["list"] },
      reader: { user: ["list"] },
      user: {},
    },
  },
  user: {
    additionalFields: {
      nick: { type: "string", ...optional },
      age: { type: "number", ...optional },
      vip: { type: "boolean", ...optional },
      born: { type: "date", ...optional },
      tags: { type: "string[]", ...optional },
      scores: { type: "number[]", ...optional },
      plan: { type: ["free", "paid"], ...optional },
      hidden: { type: "string", ...optional, returned: false },
    },
  },
});

const open = async (connectionsMax = 4) => {
  const database = await createIdentityDatabase();
  const db = connectIdentity(database.url, connectionsMax);
  const deps = createTestDeps({ config, db, clock: Date.now });
  const list = async (
    query: ListQuery,
    user = { id: "root", role: "admin" },
    caller: { apiKeyId?: string } = {},
  ) => {
    type Listing = Call<typeof operations.identity.adminListUsers>;
    const answer = await adminListUsers(deps, { query, session: { user }, caller } as Listing);
    if ("redirect" in answer) throw new Error("a list does not redirect");
    return answer.reply;
  };
  const idsOf = async (query: ListQuery) => (await list(query)).users.map(({ id }) => id);
  /** Returns every page in turn, as a client reads them. */
  const walk = async (query: ListQuery) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, ...(cursor && { cursor }) });
      ids.push(...page.users.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    return ids;
  };
  const close = async () => {
    await db.destroy();
    await database.drop();
  };
  return { db, list, idsOf, walk, close };
};
type Opened = Awaited<ReturnType<typeof open>>;

const insertAll = async (db: Kysely<Tables>, users: readonly Partial<NewUser>[]) => {
  for (const user of users) await insertUser(db, newUser(user));
};

const day = (number: number) => new Date(Date.UTC(2030, 0, number));

describe("with a few users", () => {
  let opened: Opened;
  const people: Partial<NewUser>[] = [
    {
      id: "ada",
      name: "Ada Lovelace",
      email: "ada.lovelace@example.com",
      emailVerified: true,
      role: "admin,user",
      username: "countess",
      displayUsername: "Countess",
      phoneNumber: "+4915112345678",
      createdAt: day(5),
      extra: {
        nick: "Al",
        age: 36,
        vip: true,
        born: "1815-12-10T00:00:00.000Z",
        tags: ["maths", "poetry"],
        scores: [1, 2.5],
        plan: "paid",
        hidden: "h",
      },
    },
    {
      id: "bob",
      name: "bob 100% Sure_Thing",
      email: "bob_sure@example.org",
      banned: true,
      banReason: "spam",
      banExpires: day(9),
      createdAt: day(4),
      updatedAt: day(8),
      extra: { age: 9, vip: false, born: "2001-01-01T00:00:00.000Z", tags: [], plan: "free" },
    },
    {
      id: "cee",
      name: "Émile O'Neill",
      email: "cee@example.com",
      image: "https://example.com/c.png",
      role: null,
      createdAt: day(3),
      updatedAt: day(7),
      extra: { nick: "c\\d", age: 100, scores: [2.5] },
    },
    // The stored values have other types than the options.
    {
      id: "dan",
      name: "王伟",
      email: "dan@example.com",
      createdAt: day(2),
      updatedAt: day(6),
      extra: { nick: 5, age: "9", vip: "true", born: "long ago", tags: "maths", scores: {} },
    },
  ];
  beforeAll(async () => {
    opened = await open();
    await insertAll(opened.db, people);
  });
  afterAll(() => opened.close());

  test("lists all users in their public form, oldest first", async () => {
    const { users, ...rest } = await opened.list({});
    expect(users.map(({ id }) => id)).toEqual(["dan", "cee", "bob", "ada"]);
    expect(rest).toStrictEqual({ total: 4 });
    expect(users[3]).toStrictEqual({
      ...unsetMembers,
      id: "ada",
      revision: 1,
      name: "Ada Lovelace",
      email: "ada.lovelace@example.com",
      emailVerified: true,
      createdAt: day(5),
      updatedAt: day(5),
      username: "countess",
      displayUsername: "Countess",
      role: "admin,user",
      nick: "Al",
      age: 36,
      vip: true,
      born: "1815-12-10T00:00:00.000Z",
      tags: ["maths", "poetry"],
      scores: [1, 2.5],
      plan: "paid",
    });
  });

  test.each([
    ["email", "contains", "LOVE", ["ada"]],
    ["email", "starts_with", "Bob", ["bob"]],
    ["email", "ends_with", ".ORG", ["bob"]],
    ["email", "contains", "example", ["dan", "cee", "bob", "ada"]],
    ["email", "contains", "b", ["bob"]],
    ["email", "contains", "bo", ["bob"]],
    ["email", "contains", "a.l", ["ada"]],
    ["email", "ends_with", "g", ["bob"]],
    ["email", "starts_with", "example", []],
    ["name", "contains", "lovelace", ["ada"]],
    ["email", "contains", "e.LOVELACE@ex", []],
    ["email", "contains", "a.LOVELACE@ex", ["ada"]],
    ["email", "contains", "ada.lovelace@example.com", ["ada"]],
    ["email", "contains", "ada.lovelace@example.org", []],
    ["email", "contains", "ada_lovelace@example.com", []],
    ["email", "contains", "bob_sure@example.org", ["bob"]],
    ["email", "contains", "@Example.", ["dan", "cee", "bob", "ada"]],
    ["email", "contains", "@example.COM", ["dan", "cee", "ada"]],
    ["email", "contains", "@example.com.", []],
    ["email", "contains", "@xample.com", []],
    ["email", "contains", "@ex_mple.com", []],
    ["name", "contains", "ÉMILE", ["cee"]],
    ["name", "starts_with", "é", ["cee"]],
    ["name", "contains", "o'n", ["cee"]],
    ["name", "ends_with", "ll", ["cee"]],
    ["name", "contains", "王伟", ["dan"]],
    ["name", "ends_with", "伟", ["dan"]],
    ["name", "starts_with", "王", ["dan"]],
    ["name", "contains", "z", []],
    // Characters with a meaning in LIKE match literally.
    ["email", "contains", "_", ["bob"]],
    ["email", "contains", "b_s", ["bob"]],
    ["email", "starts_with", "_", []],
    ["name", "contains", "%", ["bob"]],
    ["name", "contains", "0% s", ["bob"]],
    ["name", "starts_with", "%", []],
    ["name", "ends_with", "%", []],
    ["name", "contains", "\\", []],
    ["name", "contains", "\\%", []],
    ["name", "starts_with", "ada\\", []],
    ["name", "contains", "x".repeat(255), []],
    ["name", "starts_with", "x".repeat(255), []],
  ] as const)("a search of %s that %s %j finds %j", async (field, operator, value, found) => {
    const query = { searchField: field, searchOperator: operator, searchValue: value };
    const { users, total } = await opened.list(query);
    expect(users.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(found.length);
  });

  test.each([
    ["LOVE", ["ada"]],
    ["sure", ["bob"]],
    ["é", ["cee"]],
    ["o'n", ["cee"]],
    ["王伟", ["dan"]],
    ["王", ["dan"]],
    ["伟", []],
    ["Countess", ["ada"]],
    ["counte", ["ada"]],
    ["ountess", []],
    ["dan", ["dan"]],
    ["DAN@", ["dan"]],
    ["@example.org", ["bob"]],
    ["cee", ["cee"]],
    ["d", ["dan"]],
    ["b", ["bob"]],
    ["%", []],
    ["0%", ["bob"]],
    ["_", []],
    ["x".repeat(255), []],
  ] as const)("a search of everything for %j finds %j", async (searchValue, found) => {
    const { users, total } = await opened.list({ searchField: "any", searchValue });
    expect(users.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(found.length);
  });

  const all = ["dan", "cee", "bob", "ada"];
  const but = (...ids: string[]) => all.filter((id) => !ids.includes(id));
  test.each([
    ["id", "eq", "bob", ["bob"]],
    ["id", "eq", "BOB", []],
    ["id", "gt", "bob", ["dan", "cee"]],
    ["id", "contains", "A", ["dan", "ada"]],
    ["id", "in", "bob", ["bob"]],
    ["id", "in", ["ada", "nobody", "dan"], ["dan", "ada"]],
    ["id", "in", ["nobody", ""], []],
    ["email", "in", ["CEE@example.com"], ["cee"]],
    ["age", "in", ["9", "36"], ["bob", "ada"]],
    ["email", "eq", "CEE@example.com", ["cee"]],
    ["email", "ne", "cee@example.com", but("cee")],
    ["email", "lt", "bob", ["ada"]],
    ["email", "lte", "bob_sure@example.org", ["bob", "ada"]],
    ["name", "eq", "Ada Lovelace", ["ada"]],
    ["name", "eq", "ada lovelace", []],
    ["name", "ne", "Ada Lovelace", but("ada")],
    ["name", "lte", "ADA LOVELACE", ["ada"]],
    ["name", "gte", "BOB", ["dan", "cee", "bob"]],
    ["emailVerified", "eq", "true", ["ada"]],
    ["emailVerified", "eq", "false", but("ada")],
    ["emailVerified", "ne", "true", but("ada")],
    ["emailVerified", "lt", "true", but("ada")],
    ["image", "eq", "https://example.com/c.png", ["cee"]],
    ["image", "ne", "https://example.com/c.png", but("cee")],
    ["image", "contains", "example.COM/c", ["cee"]],
    ["createdAt", "eq", "2030-01-04T00:00:00.000Z", ["bob"]],
    ["createdAt", "ne", "2030-01-04", but("bob")],
    ["createdAt", "lt", "2030-01-04", ["dan", "cee"]],
    ["createdAt", "lte", "2030-01-04", ["dan", "cee", "bob"]],
    ["createdAt", "gt", "2030-01-04T00:00:00+00:00", ["ada"]],
    ["createdAt", "gte", "2030-01-04T01:00:00+01:00", ["bob", "ada"]],
    ["updatedAt", "gt", "2030-01-07", ["bob"]],
    ["username", "eq", "countess", ["ada"]],
    ["username", "contains", "COUNT", ["ada"]],
    ["username", "ne", "countess", but("ada")],
    ["displayUsername", "eq", "Countess", ["ada"]],
    ["role", "eq", "user", ["dan", "bob"]],
    ["role", "contains", "admin", ["ada"]],
    ["role", "contains", "us", ["dan", "bob", "ada"]],
    ["role", "ne", "user", ["cee", "ada"]],
    ["role", "has", "admin", ["ada"]],
    ["role", "has", "user", ["dan", "bob", "ada"]],
    ["role", "has", "us", []],
    ["role", "has", "ADMIN", []],
    ["role", "has", "admin,user", []],
    ["banned", "eq", "true", ["bob"]],
    ["banned", "eq", "false", but("bob")],
    ["banned", "ne", "false", ["bob"]],
    ["banReason", "eq", "spam", ["bob"]],
    ["banReason", "ne", "spam", but("bob")],
    ["banExpires", "lt", "2030-01-10", ["bob"]],
    ["banExpires", "gte", "2030-01-10", []],
    ["nick", "eq", "Al", ["ada"]],
    ["nick", "contains", "C\\D", ["cee"]],
    ["nick", "lt", "b", ["ada"]],
    // Not compared as text, where 100 would come before 36.
    ["age", "gt", "36", ["cee"]],
    ["age", "lte", "36", ["bob", "ada"]],
    ["age", "eq", "9", ["bob"]],
    ["age", "ne", "9", but("bob")],
    ["vip", "eq", "true", ["ada"]],
    ["vip", "eq", "false", ["bob"]],
    ["vip", "ne", "true", but("ada")],
    ["born", "lt", "1900-01-01", ["ada"]],
    ["born", "eq", "2001-01-01", ["bob"]],
    ["tags", "contains", "maths", ["ada"]],
    ["tags", "contains", "math", []],
    ["scores", "contains", "2.5", ["cee", "ada"]],
    ["plan", "eq", "paid", ["ada"]],
    ["plan", "eq", "none", []],
  ] as const)("the filter %s %s %j finds %j", async (field, operator, value, found) => {
    const filterValue = typeof value === "string" ? value : [...value];
    const query = { filterField: field, filterOperator: operator, filterValue };
    const { users, total } = await opened.list(query);
    expect(users.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(found.length);
  });

  test.each([
    { searchValue: "@example." },
    { searchField: "any", searchValue: "example" },
    { filterField: "role", filterOperator: "has", filterValue: "user" },
  ] as const)("pages of %j show each match once, in every order", async (query) => {
    const ids = await opened.idsOf(query);
    expect(ids.length).toBeGreaterThan(2);
    for (const limit of ["1", "2"]) {
      expect(await opened.walk({ ...query, limit })).toEqual(ids);
      const order = { sortBy: "createdAt", sortDirection: "desc" } as const;
      expect(await opened.walk({ ...query, ...order, limit })).toEqual(ids.toReversed());
      const byAddress = await opened.walk({ ...query, sortBy: "email", limit });
      expect(byAddress).toEqual(ids.toSorted());
      const { users } = await opened.list({ ...query });
      const nameOf = new Map(users.map(({ id, name }) => [id, name.toLowerCase()]));
      const byName = await opened.walk({ ...query, sortBy: "name", limit });
      expect(byName.toSorted()).toEqual(ids.toSorted());
      const names = byName.map((id) => nameOf.get(id));
      expect(names).toEqual(names.toSorted());
      const backwards = { sortBy: "name", sortDirection: "desc" } as const;
      expect(await opened.walk({ ...query, ...backwards, limit })).toEqual(byName.toReversed());
    }
  });

  test("requires both search and filter to match", async () => {
    const searching = { searchValue: "example.com" };
    expect(await opened.idsOf({ ...searching, filterField: "role", filterValue: "user" })).toEqual([
      "dan",
    ]);
    const byDomain = { searchValue: "@example.com", filterField: "role" } as const;
    expect(await opened.idsOf({ ...byDomain, filterOperator: "has", filterValue: "user" })).toEqual(
      ["dan", "ada"],
    );
    expect(
      await opened.idsOf({
        ...searching,
        filterField: "email",
        filterValue: "bob_sure@example.org",
      }),
    ).toEqual([]);
  });

  test.each([
    ["id", ["ada", "bob", "cee", "dan"]],
    ["email", ["ada", "bob", "cee", "dan"]],
    ["name", ["ada", "bob", "cee", "dan"]],
    ["createdAt", ["dan", "cee", "bob", "ada"]],
    ["updatedAt", ["ada", "dan", "cee", "bob"]],
    ["emailVerified", ["bob", "cee", "dan", "ada"]],
    ["banned", ["ada", "cee", "dan", "bob"]],
    ["age", ["bob", "ada", "cee", "dan"]],
    ["vip", ["bob", "ada", "cee", "dan"]],
    ["born", ["ada", "bob", "cee", "dan"]],
    ["nick", ["ada", "cee", "bob", "dan"]],
    ["plan", ["bob", "ada", "cee", "dan"]],
    ["role", ["ada", "bob", "dan", "cee"]],
    ["image", ["cee", "ada", "bob", "dan"]],
    ["username", ["ada", "bob", "cee", "dan"]],
    ["displayUsername", ["ada", "bob", "cee", "dan"]],
    ["banReason", ["bob", "ada", "cee", "dan"]],
    ["banExpires", ["bob", "ada", "cee", "dan"]],
    ["tags", ["ada", "bob", "cee", "dan"]],
    ["scores", ["ada", "cee", "bob", "dan"]],
  ])("sorts by %s in the order %j, on one page or several", async (sortBy, ids) => {
    expect(await opened.idsOf({ sortBy })).toEqual(ids);
    for (const limit of ["1", "2", "3"]) expect(await opened.walk({ sortBy, limit })).toEqual(ids);
    const searching = { searchValue: "example", sortBy, limit: "1" };
    expect(await opened.walk(searching)).toEqual(ids);
  });

  test.each([
    ["name", ["dan", "cee", "bob", "ada"]],
    // Users without a value come last in either direction.
    ["age", ["cee", "ada", "bob", "dan"]],
    ["role", ["dan", "bob", "ada", "cee"]],
    ["banExpires", ["bob", "dan", "cee", "ada"]],
    ["emailVerified", ["ada", "dan", "cee", "bob"]],
  ])("sorts by %s descending in the order %j, on one page or several", async (sortBy, ids) => {
    const query = { sortBy, sortDirection: "desc" } as const;
    expect(await opened.idsOf(query)).toEqual(ids);
    for (const limit of ["1", "2", "3"])
      expect(await opened.walk({ ...query, limit })).toEqual(ids);
  });

  test("neither filters nor sorts by a field that replies do not show", async () => {
    for (const query of [
      { filterField: "hidden", filterValue: "h" },
      { filterField: "hidden", filterOperator: "gte", filterValue: "a" },
      { sortBy: "hidden" },
      { sortBy: "nothing", limit: "2", offset: "1" },
    ] as const)
      expect(await opened.list(query)).toStrictEqual({ users: [], total: 0 });
  });

  test("returns an empty page with the total for an offset beyond the end", async () => {
    expect(await opened.list({ offset: "4", limit: "2" })).toStrictEqual({
      users: [],
      total: 4,
      limit: 2,
      offset: 4,
    });
    expect(await opened.list({ offset: "9", searchValue: "bob" })).toStrictEqual({
      users: [],
      total: 1,
      offset: 9,
    });
  });

  test("returns no cursor on the last page, even if it is full", async () => {
    const first = await opened.list({ limit: "2" });
    expect(first).toMatchObject({ total: 4, limit: 2, nextCursor: expect.any(String) });
    const last = await opened.list({ limit: "2", cursor: first.nextCursor });
    expect(last).not.toHaveProperty("nextCursor");
    expect(last.total).toBe(4);
    expect(await opened.list({ limit: "4" })).not.toHaveProperty("nextCursor");
  });

  test("accepts the cursor of one search in another search with the same order", async () => {
    const { nextCursor } = await opened.list({ limit: "2" });
    expect(await opened.idsOf({ cursor: nextCursor, searchValue: "lovelace" })).toEqual(["ada"]);
    await expect(opened.list({ cursor: nextCursor, sortBy: "email" })).rejects.toThrow(WireError);
  });

  test.each([
    ["emile", ["cee"]],
    [" E\u0301MILE ", ["cee"]],
    ["o'neill émile", ["cee"]],
    ["lovelace ada", ["ada"]],
    ["lovelace example.com a", ["ada"]],
    // A word that is too short for the index has accents to ignore, too.
    ["em o'neill", ["cee"]],
    ["lovelace emile", []],
    ["+49 (151) 1234", ["ada"]],
    ["+4915112345679", []],
    ["lövelace", ["ada"]],
  ])(
    "searches all columns for each word of %j, whatever the accents of names are",
    async (searchValue, ids) => {
      expect(await opened.list({ searchField: "any", searchValue })).toMatchObject({
        total: ids.length,
      });
      expect(await opened.idsOf({ searchField: "any", searchValue })).toEqual(ids);
    },
  );

  test("finds names by the index of folded names, whose function Postgres inlines", async () => {
    const column = { name: "name", type: "name", isField: false } as const;
    const plan = await opened.db.transaction().execute(async (trx) => {
      // Postgres reads a table of so few rows as a whole.
      await sql`set local enable_seqscan = off`.execute(trx);
      const isFound = conditionSql({ column, operator: "contains", value: "emile" });
      return sql`explain select id from identity."user" where ${isFound}`.execute(trx);
    });
    expect(JSON.stringify(plan.rows)).toContain("user_name_folded");
    expect(JSON.stringify(plan.rows)).not.toContain("fold_text");
  });

  test("filters by a role beside another filter", async () => {
    const filter = { filterField: "emailVerified", filterValue: "true" } as const;
    expect(await opened.idsOf({ role: "admin" })).toEqual(["ada"]);
    expect(await opened.idsOf({ role: "admin", ...filter })).toEqual(["ada"]);
    expect(
      await opened.idsOf({ role: "admin", filterField: "banned", filterValue: "true" }),
    ).toEqual([]);
    expect(await opened.list({ role: "nobody", ...filter })).toMatchObject({ users: [], total: 0 });
  });

  test.each([
    [{ banned: "false" }, ["dan", "cee", "ada"]],
    [{ banned: "false", emailVerified: "false" }, ["dan", "cee"]],
    [{ hasSecondFactor: "false", role: "admin" }, ["ada"]],
    [{ createdFrom: "2030-01-03", createdTo: "2030-01-04" }, ["cee", "bob"]],
    [{ createdTo: "2030-01-03T00:00:00Z", banned: "false" }, ["dan", "cee"]],
    [{ createdFrom: "2030-01-03", searchField: "any", searchValue: "example.com" }, ["cee", "ada"]],
    [{ signsInWith: "github" }, ["cee", "bob"]],
    [{ signsInWith: "github", banned: "true", createdFrom: "2030-01-04" }, ["bob"]],
    [{ signsInWith: "github", searchField: "any", searchValue: "ada" }, []],
    [{ signsInWith: "password" }, ["ada"]],
    [{ signsInWith: "passkey" }, []],
    [{ signsInWith: "nobody" }, []],
  ] as const)("combines the filters %j", async (query, ids) => {
    const accounts = [
      ["bob", "github", null],
      ["cee", "github", null],
      ["ada", "credential", "hash"],
      ["dan", "credential", null],
    ] as const;
    for (const [userId, providerId, hash] of accounts)
      await sql`
        insert into identity.account (id, user_id, provider_id, account_id, password, created_at, updated_at)
        values (${`${userId} ${providerId}`}, ${userId}, ${providerId}, ${userId}, ${hash}, now(), now())
        on conflict do nothing`.execute(opened.db);
    expect(await opened.list(query)).toMatchObject({ total: ids.length });
    expect(await opened.idsOf(query)).toEqual(ids);
    expect(await opened.walk({ ...query, limit: "1" })).toEqual(ids);
  });

  test("shows the last sign-ins if asked, and finds them by the address for those who may list sessions of everybody", async () => {
    const signedInAt = day(12);
    const methods = "password";
    const row = { signedInAt, methods, ipAddress: "2001:db8::1", userAgent: "" };
    await upsertLastSignIns(opened.db, [{ ...row, userId: "bob" }]);
    const { users } = await opened.list({ withLastSignIn: "true" });
    expect(users.map(({ id, lastSignInAt }) => [id, lastSignInAt])).toEqual([
      ["dan", null],
      ["cee", null],
      ["bob", signedInAt],
      ["ada", null],
    ]);
    expect((await opened.list({})).users[0]).not.toHaveProperty("lastSignInAt");
    const search = { searchField: "any", searchValue: " 2001:db8::1 " } as const;
    const matches = await opened.list(search);
    expect(matches).toMatchObject({ users: [{ id: "bob" }], total: 1 });
    expect(await opened.list({ ...search, banned: "false" })).toMatchObject({ total: 0 });
    // Sign-ins store the canonical form.
    await upsertLastSignIns(opened.db, [{ ...row, userId: "cee", ipAddress: "192.0.2.1" }]);
    for (const [searchValue, id] of [
      ["2001:DB8:0::1", "bob"],
      ["::ffff:192.0.2.1", "cee"],
    ] as const)
      expect(await opened.list({ ...search, searchValue })).toMatchObject({ users: [{ id }] });
    // Attack: an API key, which lists no sessions, learns the same.
    const root = { id: "root", role: "admin" };
    expect(await opened.list(search, root, { apiKeyId: "key" })).toMatchObject({ total: 0 });
    // Attack: an admin without sessions learns from where users sign in.
    for (const role of ["reader", "user"])
      expect(await opened.list(search, { id: "eve", role })).toMatchObject({ users: [], total: 0 });
  });

  // An index entry has a maximum length. A long name must not make a sign-up fail.
  test("stores, finds and pages through the longest names", async () => {
    const names = ["𝒜", "王", "x"].map((letter) => letter.repeat(1024));
    for (const [index, name] of names.entries())
      await insertUser(opened.db, newUser({ id: `long${index}`, name, createdAt: day(20) }));
    const endsWith = { searchField: "name", searchOperator: "ends_with" } as const;
    expect(await opened.idsOf({ ...endsWith, searchValue: "王王" })).toEqual(["long1"]);
    expect(await opened.walk({ sortBy: "name", limit: "1" })).toEqual(
      await opened.idsOf({ sortBy: "name" }),
    );
    await opened.db.deleteFrom("user").where("id", "like", "long%").execute();
  });
});

describe("with forty thousand users", () => {
  const count = 40_000;
  const table = { schema: "identity", table: "user" };
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(1);
    await sql`
      insert into identity."user" (id, name, email, email_verified, created_at, updated_at)
      select 'u' || n, case n % 5000 when 0 then 'Émile' else 'Person' end || ' Lê ' || n % 97, 'u' || n || '@a.test', true,
        timestamptz '2030-01-01' + n * interval '1 s', now()
      from generate_series(1, ${count}::int) n`.execute(opened.db);
    await sql`analyze identity."user"`.execute(opened.db);
  });
  afterAll(() => opened.close());

  test.each([
    ["emile", 8],
    [" E\u0301MILE ", 8],
    ["le émile", 8],
    ["nobody", 0],
  ])("finds %j by indexes alone", async (searchValue, total) => {
    const before = await countScans(opened.db, table);
    expect((await opened.list({ searchField: "any", searchValue })).total).toBe(total);
    const after = await countScans(opened.db, table);
    const isRead = (name: string) => after.get(name) !== before.get(name);
    expect([isRead("user"), isRead("user_name_folded")]).toEqual([false, true]);
  });

  test("finds the users of a rare provider and of an address by indexes alone", async () => {
    await sql`
      insert into identity.account (id, user_id, provider_id, account_id, created_at, updated_at)
      select 'a' || n, 'u' || n, case n % 5000 when 0 then 'rare' else 'github' end, n, now(), now()
      from generate_series(1, ${count}::int) n`.execute(opened.db);
    await sql`
      insert into identity.last_sign_in (user_id, signed_in_at, methods, ip_address, user_agent)
      select 'u' || n, now(), 'password', '192.0.2.' || n % 5000, '' from generate_series(1, ${count}::int) n`.execute(
      opened.db,
    );
    await sql`analyze identity.account, identity.last_sign_in`.execute(opened.db);
    const before = await countScans(opened.db, table);
    expect((await opened.list({ signsInWith: "rare" })).total).toBe(8);
    expect((await opened.list({ searchField: "any", searchValue: "192.0.2.7" })).total).toBe(8);
    expect((await countScans(opened.db, table)).get("user")).toBe(before.get("user"));
    expect(await opened.list({ signsInWith: "github", limit: "10" })).toMatchObject({
      totalIsEstimate: true,
    });
  });

  test("finds guests by an index without the users", async () => {
    await sql`update identity."user" set is_anonymous = true, name = 'Anonymous' where length(id) < 6`.execute(
      opened.db,
    );
    await sql`analyze identity."user"`.execute(opened.db);
    const before = await countScans(opened.db, table);
    expect((await opened.list({ isAnonymous: "true" })).total).toBe(9_999);
    const after = await countScans(opened.db, table);
    const isRead = (name: string) => after.get(name) !== before.get(name);
    expect([isRead("user"), isRead("user_guests_by_created_at")]).toEqual([false, true]);
  });
});

test.each([{}, { searchValue: "ada" }, { filterField: "role", filterValue: "user" }])(
  "returns an error for %j if the database is down, never an empty list",
  async (query) => {
    const db = connectIdentity("postgres://nobody@127.0.0.1:1/nothing");
    const deps = createTestDeps({ config, db, clock: Date.now });
    const failure: unknown = await adminListUsers(deps, { query } as never).catch((error) => error);
    await db.destroy();
    expect(isUnavailable(failure)).toBe(true);
  },
);
