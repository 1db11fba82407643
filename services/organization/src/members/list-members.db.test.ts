import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { readScopedList } from "@latchkey/service-kit/lists";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { beforeAll, expect, test } from "vitest";
import { newTextId } from "../db/test-organization.fixture.ts";
import { getActiveMember, listMembers } from "./operations.ts";
import { memberList, type MemberListQuery } from "./list/queries.ts";
import { openMembers, outcomeOf } from "./test-members.fixture.ts";

expectNoLeaks("file");

const fixture = await openMembers();
const organizationId = newTextId();
const slug = `acme-${organizationId.toLowerCase()}`;
const day = (number: number) => new Date(Date.UTC(2030, 0, number));

const members = [
  { id: "m1", userId: "cee", role: "owner", createdAt: day(1) },
  { id: "m2", userId: "bob", role: "member", createdAt: day(2) },
  // These joined at the same time.
  { id: "m4", userId: "ada", role: "admin,member", createdAt: day(3) },
  { id: "m3", userId: "dan_", role: "member", createdAt: day(3) },
  { id: "m5", userId: "eve", role: "admin", createdAt: day(4) },
];
const teamId = newTextId();

beforeAll(async () => {
  const createdAt = new Date();
  for (const id of [organizationId, newTextId()]) {
    const own = id === organizationId;
    await fixture.db
      .insertInto("organization")
      .values({ id, name: "A", slug: own ? slug : id, logo: null, metadata: null, createdAt })
      .execute();
    const team = { id: own ? teamId : newTextId(), name: "A", organizationId: id };
    await fixture.db
      .insertInto("team")
      .values({ ...team, createdAt, updatedAt: null })
      .execute();
    const rows = members.map(({ id: given, userId, role, createdAt }) => ({
      id: own ? given : newTextId(),
      organizationId: id,
      userId,
      role,
      teamId: own && given === "m2" ? teamId : null,
      createdAt,
    }));
    await fixture.db.insertInto("member").values(rows).execute();
  }
});
const reader = newPerson({ id: "eve", activeOrganizationId: organizationId });

/** Reads a page as the operation does before it looks up users. */
const list = async (query: MemberListQuery = {}, { session }: Pick<Person, "session"> = reader) => {
  const scopedList = await readScopedList(fixture.db, memberList, {
    ...query,
    session,
    refusedUntil: "-infinity",
  });
  if (!scopedList) return undefined;
  const { rows, ...page } = scopedList;
  return { ids: rows.map(({ id }) => id), nextCursor: undefined, ...page };
};

const walk = async (query: MemberListQuery): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...query, ...(cursor ? { cursor } : {}) });
    ids.push(...(page?.ids ?? []));
    cursor = page?.nextCursor;
  } while (cursor);
  return ids;
};

test.each([
  [undefined, ["m1", "m2", "m3", "m4", "m5"]],
  ["createdAt", ["m1", "m2", "m3", "m4", "m5"]],
  ["id", ["m1", "m2", "m3", "m4", "m5"]],
  ["userId", ["m4", "m2", "m1", "m3", "m5"]],
  ["role", ["m5", "m4", "m2", "m3", "m1"]],
] as const)("sorted by %s, lists %j in both directions and across pages", async (sortBy, ids) => {
  const query: MemberListQuery = sortBy ? { sortBy } : {};
  for (const [sortDirection, wanted] of [
    ["asc", ids],
    ["desc", ids.toReversed()],
  ] as const) {
    const sorted = { ...query, sortDirection };
    expect((await list(sorted))?.ids).toEqual(wanted);
    for (const limit of ["1", "2", 3]) expect(await walk({ ...sorted, limit })).toEqual(wanted);
    expect((await list({ ...sorted, offset: "2", limit: 2 }))?.ids).toEqual(wanted.slice(2, 4));
  }
});

test.each([
  ["role", "eq", "member", ["m2", "m3"]],
  ["role", undefined, "admin", ["m5"]],
  ["role", "ne", "member", ["m1", "m4", "m5"]],
  ["role", "contains", "MEMBER", ["m2", "m3", "m4"]],
  ["userId", "eq", "bob", ["m2"]],
  ["userId", "gt", "cee", ["m3", "m5"]],
  ["userId", "gte", "cee", ["m1", "m3", "m5"]],
  ["userId", "lt", "bob", ["m4"]],
  ["userId", "lte", "bob", ["m2", "m4"]],
  // Characters with a meaning in LIKE match literally.
  ["userId", "contains", "_", ["m3"]],
  ["userId", "contains", "%", []],
  ["userId", "starts_with", "DA", ["m3"]],
  ["userId", "starts_with", "_", []],
  ["userId", "ends_with", "_", ["m3"]],
  ["userId", "ends_with", "%", []],
  ["role", "in", ["owner", "admin", "%"], ["m1", "m5"]],
  ["role", "in", "owner", ["m1"]],
  ["role", "not_in", ["owner", "member"], ["m4", "m5"]],
  ["teamId", "in", [teamId, "nothing"], ["m2"]],
  ["teamId", "not_in", [teamId], ["m1", "m3", "m4", "m5"]],
  ["createdAt", "in", ["2030-01-01", "2030-01-04T00:00:00.000Z"], ["m1", "m5"]],
  ["createdAt", "not_in", ["2030-01-03"], ["m1", "m2", "m5"]],
  ["id", "eq", "m4", ["m4"]],
  ["teamId", "contains", teamId, ["m2"]],
  ["teamId", "eq", teamId, ["m2"]],
  ["teamId", "ne", teamId, ["m1", "m3", "m4", "m5"]],
  ["createdAt", "eq", "2030-01-03T00:00:00.000Z", ["m3", "m4"]],
  ["createdAt", "lt", "2030-01-03", ["m1", "m2"]],
  ["createdAt", "gte", "2030-01-03T01:00:00+01:00", ["m3", "m4", "m5"]],
] as const)("the filter %s %s %j returns %j", async (filterField, operator, given, ids) => {
  const filterValue = typeof given === "string" ? given : [...given];
  const filter = { filterField, filterValue, ...(operator && { filterOperator: operator }) };
  expect(await list(filter)).toMatchObject({ ids, total: ids.length });
  expect(await list({ ...filter, limit: "1", offset: "9" })).toMatchObject({
    ids: [],
    total: ids.length,
  });
});

test("ignores a filter without a field or a value", async () => {
  expect((await list({ filterValue: "bob" }))?.total).toBe(5);
  expect((await list({ filterField: "userId", filterValue: "" }))?.total).toBe(5);
});

test.each([
  ["filterValue", { filterField: "createdAt", filterValue: "soon" }],
  ["filterValue", { filterField: "createdAt", filterValue: "0000-01-01" }],
  [
    "filterOperator",
    { filterField: "createdAt", filterOperator: "contains", filterValue: "2030-01-01" },
  ],
  ["filterValue", { filterField: "role", filterOperator: "eq", filterValue: ["a", "b"] }],
  ["filterValue", { filterField: "createdAt", filterOperator: "in", filterValue: ["soon"] }],
  [
    "filterOperator",
    { filterField: "createdAt", filterOperator: "ends_with", filterValue: "2030-01-01" },
  ],
  ["limit", { limit: "many" }],
  ["offset", { offset: "-1" }],
  ["cursor", { cursor: "garbage" }],
] as const)("rejects an invalid %s", async (path, query) => {
  const refused = await list(query as MemberListQuery).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(WireError);
  expect(refused).toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path }] });
});

test("rejects a cursor of another order", async () => {
  const cursor = (await list({ limit: 2 }))?.nextCursor ?? "";
  await expect(list({ cursor, sortBy: "role" })).rejects.toThrow(WireError);
  await expect(list({ cursor, sortDirection: "desc" })).rejects.toThrow(WireError);
});

test("attack: a stranger sees no member and no total, by id and by slug", async () => {
  const { user: _, ...outsider } = newPerson();
  const queries = [
    { organizationId },
    { organizationSlug: slug },
    { organizationId: "nowhere" },
    { organizationSlug: "nowhere" },
  ];
  for (const one of queries) expect(await list(one, outsider)).toBeUndefined();
  const query = { organizationId, organizationSlug: slug };
  const call = { query, ...outsider } as unknown as Call<
    typeof operations.organization.listMembers
  >;
  await expect(listMembers(fixture.deps, call)).rejects.toMatchObject({
    code: "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    status: 403,
  });
  expect(await outcomeOf(listMembers(fixture.deps, { ...call, query: {} }))).toBe(
    "NO_ACTIVE_ORGANIZATION",
  );
});

test("lets a member list members by the organization's slug", async () => {
  const { session } = newPerson({ id: "eve" });
  expect((await list({ organizationSlug: slug }, { session }))?.total).toBe(5);
});

/** Replaces identity. Only the names and addresses are searched. */
const lookUpUsers = async (ids: readonly string[]) =>
  new Map(
    ids.map((id) => [id, { id, name: `Łukasz ${id}`, email: `${id}@example.com`, image: null }]),
  );

const search = async (query: MemberListQuery, person: Person = newPerson({ id: "eve" })) => {
  const call = { query: { organizationId, ...query }, ...person };
  const answer = await listMembers(
    { ...fixture.deps, lookUpUsers },
    call as unknown as Call<typeof operations.organization.listMembers>,
  );
  return (answer as { reply: OperationReply<typeof operations.organization.listMembers> }).reply; // it is no redirect
};

test.each([
  ["LUKASZ cee", ["cee"]],
  ["dan_@example", ["dan_"]],
  ["m4", ["ada"]],
  ["nobody", []],
])("a search for %s finds %j", async (searchValue, userIds) => {
  const reply = await search({ searchValue });
  expect(reply.members.map(({ userId }) => userId)).toEqual(userIds);
  expect(reply.total).toBe(userIds.length);
});

test("pages through the matches of a search, newest first", async () => {
  const newest = { searchValue: "lukasz", sortDirection: "desc", limit: 3 } as const;
  const first = await search(newest);
  expect(first).toMatchObject({ members: [{ id: "m5" }, { id: "m4" }, { id: "m3" }], total: 5 });
  const second = await search({ ...newest, cursor: first.nextCursor });
  expect(second.members.map(({ id }) => id)).toEqual(["m2", "m1"]);
});

test.each([
  ["sortBy", { sortBy: "role" }],
  ["filterField", { filterField: "role", filterValue: "owner" }],
] as const)("a search rejects %s", async (path, query) => {
  const refused = await search({ searchValue: "ada", ...query }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "VALIDATION_ERROR", issues: [{ path }] });
});

test("attack: a stranger's search finds no member", async () => {
  expect(await outcomeOf(search({ searchValue: "ada" }, newPerson()))).toBe(
    "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
});

test("returns the caller's membership in the session's organization", async () => {
  const get = ({ session, caller }: Person) =>
    getActiveMember(fixture.deps, { session, caller } as Call<
      typeof operations.organization.getActiveMember
    >);
  expect(await get(reader)).toMatchObject({
    reply: { id: "m5", role: "admin", organizationId, user: { id: "eve", name: "Ada" } },
  });
  expect(await outcomeOf(get(newPerson()))).toBe("NO_ACTIVE_ORGANIZATION");
  const removed = newPerson({ activeOrganizationId: organizationId });
  expect(await outcomeOf(get(removed))).toBe("MEMBER_NOT_FOUND");
});
