import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrganization } from "../db/test-organization.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { adminListOrganizations } from "./admin-list-organizations.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.organization.adminListOrganizations>["query"];

const open = async () => {
  const opened = await openOrganizations();
  const list = (query: Query) =>
    replyOf(adminListOrganizations(opened.deps, callBy(newPerson(), { query })));
  const idsOf = async (query: Query) => (await list(query)).organizations.map(({ id }) => id);
  /** Reads all pages in sequence, as a client does. */
  const walk = async (query: Query) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ ...query, ...(cursor && { cursor }) });
      ids.push(...page.organizations.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    return ids;
  };
  return { ...opened, list, idsOf, walk };
};

const few = await open();

describe("with few organizations", () => {
  const it = few;
  beforeAll(async () => {
    const person = newPerson();
    const named = [
      { id: "acme", name: "Acme Rockets", slug: "acme" },
      { id: "bolt", name: "bolt 100% Sure_Thing", slug: "Bolt-Works" },
      { id: "cafe", name: "Émile's Café", slug: "cafe\\bar" },
      { id: "dong", name: "王伟工厂", slug: "dong-gong" },
    ];
    for (const [index, given] of named.entries()) {
      const members = Array.from({ length: index }, () => ({
        person: newPerson(),
        role: "member",
      }));
      await seedOrganization(it.db, [{ person, role: "owner" }, ...members], given);
      const createdAt = new Date(Date.UTC(2030, 0, 9 - index));
      await sql`
        update organization.organization set created_at = ${createdAt} where id = ${given.id}`.execute(
        it.db,
      );
    }
  });

  test("lists all organizations oldest first, with their member counts", async () => {
    const { organizations, ...rest } = await it.list({});
    expect(rest).toStrictEqual({ total: 4 });
    expect(organizations.map(({ id, memberCount }) => [id, memberCount])).toEqual([
      ["dong", 4],
      ["cafe", 3],
      ["bolt", 2],
      ["acme", 1],
    ]);
    expect(organizations[3]).toStrictEqual({
      id: "acme",
      name: "Acme Rockets",
      slug: "acme",
      logo: null,
      metadata: null,
      createdAt: new Date(Date.UTC(2030, 0, 9)),
      memberCount: 1,
    });
  });

  test.each([
    ["createdAt", ["dong", "cafe", "bolt", "acme"]],
    ["name", ["acme", "bolt", "cafe", "dong"]],
    ["slug", ["acme", "bolt", "cafe", "dong"]],
  ] as const)("sorted by %s, lists %j in both directions and across pages", async (sortBy, ids) => {
    expect(await it.idsOf({ sortBy })).toEqual(ids);
    const downwards = { sortBy, sortDirection: "desc" } as const;
    expect(await it.idsOf(downwards)).toEqual(ids.toReversed());
    for (const limit of [1, "2", 3]) {
      expect(await it.walk({ sortBy, limit })).toEqual(ids);
      expect(await it.walk({ ...downwards, limit })).toEqual(ids.toReversed());
      expect(await it.walk({ sortBy, limit, searchValue: "o" })).not.toContain("acme");
    }
  });

  test.each([
    ["ROCK", ["acme"]],
    ["acme", ["acme"]],
    ["works", ["bolt"]],
    ["t-w", []],
    ["bolt-w", ["bolt"]],
    ["ÉMILE", ["cafe"]],
    ["afé", ["cafe"]],
    ["王伟工", ["dong"]],
    ["工厂", []],
    ["王伟", ["dong"]],
    ["B", ["bolt"]],
    ["o", []],
    // Characters with a meaning in LIKE match literally.
    ["sure_t", ["bolt"]],
    ["sureXt", []],
    ["100%", ["bolt"]],
    ["%", []],
    ["_", []],
    ["cafe\\b", ["cafe"]],
    ["\\", []],
    ["x".repeat(255), []],
    ["", ["dong", "cafe", "bolt", "acme"]],
  ])("search for %j returns %j", async (searchValue, ids) => {
    const { organizations, total } = await it.list({ searchValue });
    expect(organizations.map(({ id }) => id)).toEqual(ids);
    expect(total).toBe(ids.length);
  });

  test.each([
    ["bolt", ["bolt"]],
    [
      ["cafe", "unknown", "acme"],
      ["cafe", "acme"],
    ],
    [["unknown"], []],
    ["", ["dong", "cafe", "bolt", "acme"]],
  ])("the ids %j return %j", async (ids, found) => {
    const { organizations, total } = await it.list({ ids });
    expect(organizations.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(found.length);
  });

  test("returns an empty page with the total for an offset beyond the end", async () => {
    expect(await it.list({ offset: "4", limit: "2" })).toStrictEqual({
      organizations: [],
      total: 4,
    });
    expect(await it.list({ offset: 9, searchValue: "acme" })).toStrictEqual({
      organizations: [],
      total: 1,
    });
  });
});
