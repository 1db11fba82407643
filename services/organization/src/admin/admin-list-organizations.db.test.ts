import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { countScans, expectNoLeaks, newPerson } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createTestDeps,
  openOrganizationDatabase,
  seedOrganization,
} from "../db/test-organization.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { adminListOrganizations } from "./organizations.ts";

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
  const fixture = few;
  beforeAll(async () => {
    const person = newPerson();
    const named = [
      { id: "acme", name: "Acme Rockets", slug: "acme" },
      { id: "bolt", name: "bolt 100% Sure_Thing", slug: "Bolt-Works" },
      { id: "cafe", name: "Émile's Café", slug: "cafe\\bar" },
      { id: "dong", name: "王伟工厂", slug: "gong" },
    ];
    for (const [index, given] of named.entries()) {
      const members = Array.from({ length: index }, () => ({
        person: newPerson(),
        role: "member",
      }));
      await seedOrganization(fixture.db, [{ person, role: "owner" }, ...members], given);
      const createdAt = new Date(Date.UTC(2030, 0, 9 - index));
      await sql`
        update organization.organization set created_at = ${createdAt} where id = ${given.id}`.execute(
        fixture.db,
      );
    }
  });

  test("lists all organizations oldest first, with their member counts", async () => {
    const { organizations, ...rest } = await fixture.list({});
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
    expect(await fixture.idsOf({ sortBy })).toEqual(ids);
    const downwards = { sortBy, sortDirection: "desc" } as const;
    expect(await fixture.idsOf(downwards)).toEqual(ids.toReversed());
    for (const limit of [1, "2", 3]) {
      expect(await fixture.walk({ sortBy, limit })).toEqual(ids);
      expect(await fixture.walk({ ...downwards, limit })).toEqual(ids.toReversed());
      expect(await fixture.walk({ sortBy, limit, searchValue: "o" })).not.toContain("acme");
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
    ["emile", ["cafe"]],
    ["ÁCME", ["acme"]],
    ["rockets％", []],
    [" cafe\u0301  ÉMILE ", ["cafe"]],
    ["cafe rockets", []],
    ["王伟工", ["dong"]],
    ["工厂", []],
    ["王伟", ["dong"]],
    [" dong ", ["dong"]],
    ["don", []],
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
    const { organizations, total } = await fixture.list({ searchValue });
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
    const { organizations, total } = await fixture.list({ ids });
    expect(organizations.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(found.length);
  });

  test("returns an empty page with the total for an offset beyond the end", async () => {
    expect(await fixture.list({ offset: "4", limit: "2" })).toStrictEqual({
      organizations: [],
      total: 4,
    });
    expect(await fixture.list({ offset: 9, searchValue: "acme" })).toStrictEqual({
      organizations: [],
      total: 1,
    });
  });
});

describe("with a hundred thousand organizations", async () => {
  const count = 100_000;
  const table = { schema: "organization", table: "organization" };
  /** One connection, whose statistics are complete when they are read. */
  const { db } = await openOrganizationDatabase(1);
  const deps = createTestDeps(db);
  const list = (query: Query) =>
    replyOf(adminListOrganizations(deps, callBy(newPerson(), { query })));
  beforeAll(async () => {
    await sql`
      insert into organization.organization (id, name, slug, created_at)
      select 'o' || n, case n % 5000 when 0 then 'Émile' else 'Works' end || ' Lê ' || n % 97, 'o' || n,
        timestamptz '2030-01-01' + n * interval '1 s'
      from generate_series(1, ${count}::int) n`.execute(db);
    await sql`analyze organization.organization`.execute(db);
  });
  afterAll(() => deps.identity.close());

  test.each([
    ["emile", 20],
    [" E\u0301MILE ", 20],
    ["le émile", 20],
    ["o77777", 1],
    ["nobody", 0],
  ])("finds %j by the indexes of names, slugs and ids alone", async (searchValue, total) => {
    const before = await countScans(db, table);
    expect((await list({ searchValue })).total).toBe(total);
    const after = await countScans(db, table);
    const isRead = (name: string) => after.get(name) !== before.get(name);
    expect(isRead("organization")).toBe(false);
    for (const name of ["name_folded", "slug_trigrams", "pkey"])
      expect([name, isRead(`organization_${name}`)]).toEqual([name, true]);
  });
});
