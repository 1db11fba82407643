import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { adminDeleteOrganization } from "../admin/organizations.ts";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "./test-organizations.fixture.ts";

expectNoLeaks("file");

const notMember = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
const count = 16;

const fixture = await openOrganizations();

const seedOwned = async (others: Person[] = []) => {
  const person = newPerson();
  const users = [
    { person, role: "owner" },
    ...others.map((other) => ({ person: other, role: "member" })),
  ];
  const { organization } = await seedOrganization(fixture.db, users, { metadata: '{"a":1}' });
  return { person, organizationId: organization.id, organization };
};

const newAdmin = () => newPerson({ role: "admin" });

const eraseAsAdmin = (person: Person, id: string) =>
  replyOf(adminDeleteOrganization(fixture.deps, callBy(person, { params: { id } })));

const toldOf = async (organizationId: string): Promise<string[][]> => {
  const rows = await fixture.db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "organization.deleted")
    .where("data", "like", `%${organizationId}%`)
    .orderBy("id")
    .execute();
  return rows.map(({ data }) => (JSON.parse(data) as { userIds: string[] }).userIds);
};

const exists = async (id: string): Promise<boolean> => {
  const row = fixture.db.selectFrom("organization").select("id").where("id", "=", id);
  return (await row.execute()).length > 0;
};

test("returns the deleted organization, deletes its contents and publishes an event", async () => {
  const other = newPerson();
  const { person, organizationId, organization } = await seedOwned([other]);
  const inOrganization = { organizationId, createdAt: new Date() };
  const teamId = newTextId();
  await fixture.db
    .insertInto("team")
    .values({ id: teamId, name: "A team", updatedAt: null, ...inOrganization })
    .execute();
  await fixture.db
    .insertInto("invitation")
    .values({
      id: newTextId(),
      email: "bob@example.com",
      role: "member",
      teamId,
      status: "pending",
      expiresAt: new Date(),
      inviterId: person.user.id,
      mailedAt: new Date(),
      ...inOrganization,
    })
    .execute();
  expect(await fixture.erase(person, organizationId)).toStrictEqual(organization);
  for (const table of ["member", "team", "invitation"] as const) {
    const remaining = fixture.db
      .selectFrom(table)
      .select("id")
      .where("organizationId", "=", organizationId);
    expect(await remaining.execute()).toEqual([]);
  }
  expect(await toldOf(organizationId)).toEqual([[person.user.id, other.user.id]]);
  expect(await fixture.auditOf(organizationId)).toEqual([
    {
      actorKind: "user",
      actorId: person.user.id,
      action: "organization.deleted",
      before: { name: "Acme", slug: organization.slug, members: 2 },
      after: null,
    },
  ]);
});

test("deletes an organization once for sixteen concurrent requests", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { person, organizationId } = await seedOwned();
    const erasures = Array.from({ length: count }, () => fixture.erase(person, organizationId));
    expect(await tally(erasures)).toEqual({ done: 1, [notMember]: count - 1 });
    expect(await toldOf(organizationId)).toHaveLength(1);
  }
});

test("deletes an organization once for concurrent requests by admins and the owner", async () => {
  const { person, organizationId } = await seedOwned();
  const erasures = Array.from({ length: count }, (_, index) =>
    index % 2 ? fixture.erase(person, organizationId) : eraseAsAdmin(newAdmin(), organizationId),
  );
  const { done } = await tally(erasures);
  expect(done).toBe(1);
  expect(await toldOf(organizationId)).toHaveLength(1);
});

test("splits more members than one event carries into several events", async () => {
  const { person, organizationId } = await seedOwned(
    Array.from({ length: 1_000 }, () => newPerson()),
  );
  await fixture.erase(person, organizationId);
  const notified = await toldOf(organizationId);
  expect(notified.map((userIds) => userIds.length).toSorted((a, b) => a - b)).toEqual([1, 1_000]);
  expect(new Set(notified.flat()).size).toBe(1_001);
});

test.each(["admin", "member", "admin,member"])(
  "refuses a member with the role %s",
  async (role) => {
    const { organizationId } = await seedOwned();
    const person = newPerson();
    const membership = { organizationId, userId: person.user.id, role };
    await fixture.db
      .insertInto("member")
      .values({ id: newTextId(), teamId: null, createdAt: new Date(), ...membership })
      .execute();
    expect(await outcomeOf(fixture.erase(person, organizationId))).toBe(
      "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
    );
    expect(await exists(organizationId)).toBe(true);
  },
);

/** Otherwise any signed-in user could delete an organization whose id they know. */
test("refuses an owner of another organization", async () => {
  const { organizationId } = await seedOwned();
  const { person } = await seedOwned();
  expect(await outcomeOf(fixture.erase(person, organizationId))).toBe(notMember);
  expect(await outcomeOf(fixture.erase(person, newTextId()))).toBe(notMember);
  expect(await outcomeOf(fixture.erase(person, ""))).toBe("ORGANIZATION_NOT_FOUND");
  expect(await exists(organizationId)).toBe(true);
});

test("refuses members but not admins if the options disable deletion", async () => {
  const member = newPerson();
  const { person, organizationId } = await seedOwned([member]);
  const tree = { organization: { organizationDeletion: { disabled: true } } };
  const deps = fixture.depsWith({ tree });
  expect(await outcomeOf(fixture.erase(newPerson(), organizationId, deps))).toBe(notMember);
  expect(await outcomeOf(fixture.erase(member, organizationId, deps))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION",
  );
  expect(await outcomeOf(fixture.erase(person, organizationId, deps))).toBe("FORBIDDEN");
  expect(await eraseAsAdmin(newAdmin(), organizationId)).toMatchObject({ id: organizationId });
  expect(await outcomeOf(eraseAsAdmin(newAdmin(), organizationId))).toBe("ORGANIZATION_NOT_FOUND");
});

test("calls the application's functions before and after, and an error from the first prevents the deletion", async () => {
  const calls: unknown[] = [];
  let refusal: Error | undefined = new Error("no");
  const organizationDeletion = {
    beforeDelete: async (data: unknown) => {
      calls.push(data);
      if (refusal) throw refusal;
    },
    afterDelete: async (data: unknown, request: unknown) => calls.push(data, request),
  };
  const deps = fixture.depsWith({ tree: { organization: { organizationDeletion } } });
  const { person, organizationId, organization } = await seedOwned();
  await expect(fixture.erase(person, organizationId, deps)).rejects.toThrow("no");
  expect(await exists(organizationId)).toBe(true);
  refusal = undefined;
  await fixture.erase(person, organizationId, deps);
  const data = { organization, user: person.user };
  const { baseUrl, address, userAgent } = person.caller;
  expect(calls).toStrictEqual([data, data, data, { baseURL: baseUrl, address, userAgent }]);
});
