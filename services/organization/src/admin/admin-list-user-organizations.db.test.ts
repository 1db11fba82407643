import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { adminListUserOrganizations } from "./organizations.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.organization.adminListUserOrganizations>["query"];

const fixture = await openOrganizations();

const admin = newPerson({ role: "admin" });

const list = (id: string, query: Query = {}) =>
  replyOf(adminListUserOrganizations(fixture.deps, callBy(admin, { params: { id }, query })));

const walk = async (id: string, query: Query): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(id, { ...query, ...(cursor && { cursor }) });
    ids.push(...page.organizations.map((organization) => organization.id));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
};

/** Makes a user a member of many organizations, several per join time. */
const joinMany = async (userId: string, count: number): Promise<void> => {
  await sql`
    insert into organization.organization (id, name, slug, created_at)
    select ${userId} || number, 'Acme', ${userId} || number, now() from generate_series(1, ${count}::int) number
  `.execute(fixture.db);
  await sql`
    insert into organization.member (id, organization_id, user_id, role, created_at)
    select ${userId} || number, ${userId} || number, ${userId}, 'member',
      timestamptz '2030-01-01' + number / 3 * interval '1 s'
    from generate_series(1, ${count}::int) number`.execute(fixture.db);
};

test("shows a user's organizations with the user's roles, and no others", async () => {
  const person = newPerson();
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person, role: "owner,member" },
    { person: newPerson(), role: "member" },
  ]);
  await seedOrganization(fixture.db, [{ person: newPerson(), role: "owner" }]);
  const { id: memberId, createdAt: joinedAt } = memberOf(person);
  expect(await list(person.user.id)).toStrictEqual({
    organizations: [{ ...organization, role: "owner,member", memberId, joinedAt }],
    total: 1,
  });
});

test("returns the same empty page for an unknown user and one without organizations", async () => {
  expect(await list(newTextId())).toStrictEqual({ organizations: [], total: 0 });
});

test.each([1, 2, 5, 7, 20])(
  "lists each organization once in pages of %d, in both directions",
  async (limit) => {
    const userId = newTextId();
    await joinMany(userId, 20);
    const upwards = await walk(userId, { limit });
    expect(new Set(upwards).size).toBe(20);
    expect(await walk(userId, { limit, sortDirection: "desc" })).toEqual(upwards.toReversed());
    const { organizations, total } = await list(userId, { limit, offset: 3 });
    expect(organizations.map(({ id }) => id)).toEqual(upwards.slice(3, 3 + limit));
    expect(total).toBe(20);
  },
);

test("counts organizations up to ten thousand and reports that there are more", async () => {
  const userId = newTextId();
  await joinMany(userId, 10_002);
  expect(await list(userId, { limit: 1 })).toMatchObject({ total: 10_001, totalIsEstimate: true });
});

test.each<Query>([{ limit: "many" }, { offset: -1 }, { cursor: "garbage" }])(
  "rejects invalid limits and cursors: %j",
  async (query) => {
    expect(await outcomeOf(list(newTextId(), query))).toBe("VALIDATION_ERROR");
  },
);
