import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { operations, type UserSummary } from "@latchkey/contracts";
import { type Call, createServiceClient } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { createUserLookUp } from "../users/create-user-look-up.ts";
import { adminListOrganizationMembers } from "./members.ts";
import { adminGetOrganization } from "./organizations.ts";

expectNoLeaks("file");

type Query = Call<typeof operations.organization.adminListOrganizationMembers>["query"];

/** Users with such an id are deleted. */
const departed = /gone$/;

const summaryOf = (id: string): UserSummary => ({
  id,
  name: `Łukasz Persön ${id}`,
  email: `${id}@example.com`,
  image: null,
});

/** Replaces identity. Returns every user except deleted ones. */
const findAsIdentity = ({ ids = [], emails = [] }: { ids?: string[]; emails?: string[] }) => {
  const wantedIds = [...ids, ...emails.map((email) => email.split("@")[0] ?? "")];
  return { users: wantedIds.filter((id) => !departed.test(id)).map(summaryOf) };
};

const describeAsIdentity = ({ ids }: { ids: string[] }) => {
  const users = ids.map((id) => (departed.test(id) ? undefined : summaryOf(id)));
  return {
    names: users.map((user) => user?.name ?? null),
    emails: users.map((user) => user?.email ?? null),
    images: users.map((user) => user?.image ?? null),
  };
};

const fixture = await openOrganizations();
const server = createServer((request, response) => {
  json(request).then(
    (body) => {
      const isDescription = request.url === `/internal${operations.identity.describeUsers.path}`;
      const answer = isDescription
        ? describeAsIdentity(body as never)
        : findAsIdentity(body as object);
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    },
    () => {},
  );
});
await once(server.listen(0, "127.0.0.1"), "listening");
const { ring, clock } = fixture.deps;
const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const identity = createServiceClient({ to: [to], from: "organization", ring, clock });
const deps = { ...fixture.deps, identity, lookUpUsers: createUserLookUp(identity) };
afterAll(async () => {
  await identity.close();
  server.close();
});

const admin = newPerson({ role: "admin" });

const list = (id: string, query: Query = {}) =>
  replyOf(adminListOrganizationMembers(deps, callBy(admin, { params: { id }, query })));

const walk = async (id: string, query: Query): Promise<string[]> => {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(id, { ...query, ...(cursor && { cursor }) });
    ids.push(...page.members.map(({ userId }) => userId));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
};

/** Creates an organization with members, three of them per join time. The first is the owner, every tenth is also an admin. */
const seedMembers = async (count: number): Promise<{ id: string; prefix: string }> => {
  const { organization } = await seedOrganization(fixture.db, []);
  const prefix = newTextId().toLowerCase();
  await sql`
    insert into organization.member (id, organization_id, user_id, role, created_at)
    select 'm' || ${prefix} || lpad(n::text, 6, '0'), ${organization.id}, ${prefix} || lpad(n::text, 6, '0'),
      case when n = 1 then 'owner' when n % 10 = 0 then 'member,admin' else 'member' end,
      timestamptz '2030-01-01' + n / 3 * interval '1 s'
    from generate_series(1, ${count}::int) n`.execute(fixture.db);
  return { id: organization.id, prefix };
};

describe("the members of an organization", () => {
  test("are shown with their users to an admin who is not a member, without those of other organizations", async () => {
    const [one, other] = [newPerson(), newPerson()];
    const { organization, memberOf } = await seedOrganization(fixture.db, [
      { person: one, role: "owner" },
      { person: other, role: "admin,member" },
    ]);
    await seedMembers(3);
    const shown = (person: typeof one) => {
      const { teamId: _, ...member } = memberOf(person);
      return { ...member, user: summaryOf(person.user.id) };
    };
    expect(await list(organization.id)).toStrictEqual({
      members: [shown(one), shown(other)],
      total: 2,
    });
  });

  test.each([1, 2, 5, 7, 40])(
    "list each member once in pages of %d, in both directions",
    async (limit) => {
      const { id, prefix } = await seedMembers(40);
      const all = Array.from(
        { length: 40 },
        (_, n) => `${prefix}${String(n + 1).padStart(6, "0")}`,
      );
      const admins = all.filter((_, n) => n % 10 === 9);
      const fitting = [
        [{}, all],
        [{ role: "admin" }, admins],
        [{ role: "owner" }, all.slice(0, 1)],
        [{ role: "member" }, all.slice(1)],
        [{ searchValue: prefix }, all],
        [{ searchValue: prefix.toUpperCase(), role: "admin" }, admins],
      ] as const;
      for (const [query, ids] of fitting) {
        expect(await walk(id, { ...query, limit })).toEqual(ids);
        const downwards = await walk(id, { ...query, limit, sortDirection: "desc" });
        expect(downwards).toEqual(ids.toReversed());
        const { members, total } = await list(id, { ...query, limit, offset: 2 });
        expect(members.map(({ userId }) => userId)).toEqual(ids.slice(2, 2 + limit));
        expect(total).toBe(ids.length);
      }
    },
  );

  test("leave out deleted users without losing the next page", async () => {
    const people = ["a", "gone", "b", "c"].map((id) => newPerson({ id: `${newTextId()}${id}` }));
    const { organization } = await seedOrganization(
      fixture.db,
      people.map((person) => ({ person, role: "member" })),
    );
    const ids = people.map(({ user }) => user.id).filter((id) => !departed.test(id));
    for (const query of [{ limit: 1 }, { limit: 2 }, { limit: 1, searchValue: "person" }])
      expect(await walk(organization.id, query)).toEqual(ids);
  });

  test.each(["adm", "ADMIN", "member,admin", "king", "%"])(
    "match no part of a role: %j",
    async (role) => {
      const { id } = await seedMembers(10);
      expect(await list(id, { role })).toStrictEqual({ members: [], total: 0 });
    },
  );

  test("are not found for an unknown organization", async () => {
    for (const query of [{}, { role: "owner" }, { searchValue: "a" }])
      expect(await outcomeOf(list(newTextId(), query))).toBe("ORGANIZATION_NOT_FOUND");
    const { organization } = await seedOrganization(fixture.db, []);
    expect(await list(organization.id)).toStrictEqual({ members: [], total: 0 });
  });

  test.each<Query>([{ limit: "many" }, { offset: -1 }, { cursor: "garbage" }])(
    "reject invalid limits and cursors: %j",
    async (query) => {
      const { id } = await seedMembers(1);
      expect(await outcomeOf(list(id, query))).toBe("VALIDATION_ERROR");
    },
  );
});

test("lists the members of one team, also with a role or a search", async () => {
  const { id, prefix } = await seedMembers(40);
  const createdAt = new Date();
  await fixture.db
    .insertInto("team")
    .values({ id, name: "Crew", organizationId: id, createdAt, updatedAt: null })
    .execute();
  await sql`
    update organization.member set team_id = ${id}
    where organization_id = ${id} and right(user_id, 1) in ('0', '5')`.execute(fixture.db);
  const numbers = (ends: number[]) => ends.map((n) => `${prefix}${String(n).padStart(6, "0")}`);
  for (const [query, ids] of [
    [{}, numbers([5, 10, 15, 20, 25, 30, 35, 40])],
    [{ role: "admin" }, numbers([10, 20, 30, 40])],
    [{ searchValue: `${prefix}00001` }, numbers([10, 15])],
  ] as const)
    expect(await walk(id, { ...query, teamId: id, limit: 3 })).toEqual(ids);
  expect(await walk(id, { teamId: newTextId() })).toEqual([]);
});

describe("search", () => {
  const searched = async (count: number) => {
    const { id, prefix } = await seedMembers(count);
    const find = async (searchValue: string, query: Query = {}) =>
      (await list(id, { searchValue, ...query })).members.map(({ userId }) => userId);
    return { find, last: `${prefix}${String(count).padStart(6, "0")}` };
  };

  test("matches a part of the name or address, or an id, among a thousand members", async () => {
    const { find, last } = await searched(1_000);
    const part = last.slice(3).toUpperCase();
    for (const term of [part, `son ${last}`, `${last} són`, ` ${part}@EXAMPLE`, last, `m${last}`])
      expect(await find(term)).toEqual([last]);
    for (const name of [
      "lukasz",
      " ŁUKASZ",
      "Person",
      "  PERSO\u0308N ",
      "persön",
      "łúkasz person",
    ])
      expect(await find(`${name} ${last} `)).toEqual([last]);
    expect(await find(last, { role: "admin" })).toEqual([last]);
    expect(await find(last, { role: "owner" })).toEqual([]);
    expect(await find("nobody")).toEqual([]);
  });

  test("matches a whole address or an id among more members, whoever joined last", async () => {
    const { find, last } = await searched(1_010);
    for (const term of [last, `m${last}`, `${last}@example.com`, ` ${last}@EXAMPLE.com `])
      expect(await find(term)).toEqual([last]);
    expect(await find(last, { role: "admin" })).toEqual([last]);
    expect(await find(last, { role: "owner" })).toEqual([]);
    for (const term of [last.slice(3), `m${last}`.slice(0, -1), "stranger@example.com"])
      expect(await find(term)).toEqual([]);
  });
});

test("counts members up to ten thousand and reports that there are more", async () => {
  const { id } = await seedMembers(10_002);
  const many = { total: 10_001, totalIsEstimate: true };
  expect(await list(id, { limit: 1 })).toMatchObject(many);
  const few = await list(id, { limit: 1, role: "admin" });
  expect(few).toMatchObject({ total: 1_000 });
  expect(few).not.toHaveProperty("totalIsEstimate");
  const { memberCount, members } = await replyOf(
    adminGetOrganization(deps, callBy(admin, { params: { id } })),
  );
  expect(memberCount).toBe(10_001);
  expect(members.length).toBeLessThanOrEqual(1_000);
});

test("shows an organization's full counts beyond the listed items", async () => {
  const { id } = await seedMembers(30);
  const createdAt = new Date();
  for (let index = 0; index < 101; index += 1)
    await fixture.db
      .insertInto("team")
      .values({ id: `${id}${index}`, name: "T", organizationId: id, createdAt, updatedAt: null })
      .execute();
  await sql`
    update organization.member set team_id = ${`${id}0`} where organization_id = ${id} and role = 'member'`.execute(
    fixture.db,
  );
  await sql`
    insert into organization.invitation (id, organization_id, email, role, status, expires_at, inviter_id, created_at, mailed_at)
    select ${id} || n, ${id}, 'a@example.com', 'member', 'canceled', now(), 'somebody', now(), now()
    from generate_series(1, 102) n`.execute(fixture.db);
  const off = await replyOf(adminGetOrganization(deps, callBy(admin, { params: { id } })));
  expect(off).toMatchObject({
    memberCount: 30,
    invitationCount: 102,
    teamCount: null,
    teams: null,
  });
  expect(off.invitations).toHaveLength(100);
  const { config } = fixture.depsWith({ tree: { organization: { teams: { enabled: true } } } });
  const on = await replyOf(
    adminGetOrganization({ ...deps, config }, callBy(admin, { params: { id } })),
  );
  expect(on.teamCount).toBe(101);
  expect(on.teams).toHaveLength(100);
  const counts = new Map(on.teams?.map((team) => [team.id, team.memberCount]));
  expect([counts.get(`${id}0`), counts.get(`${id}1`)]).toEqual([26, 0]);
});
