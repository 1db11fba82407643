import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { seedOrganization } from "../db/test-organization.fixture.ts";
import { openMembers, outcomeOf, tally } from "./test-members.fixture.ts";

expectNoLeaks("file");

const notAllowed = "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER";

const fixture = await openMembers();

const seed = async () => {
  const users = { owner: newPerson(), admin: newPerson(), member: newPerson() };
  const { owner, admin, member } = users;
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: owner, role: "owner" },
    { person: admin, role: "admin" },
    { person: member, role: "member" },
  ]);
  const organizationId = organization.id;
  const set = (by: keyof typeof users, of: keyof typeof users, role: string | string[]) =>
    fixture.setRole(
      { organizationId, person: users[by] },
      { memberId: memberOf(users[of]).id, role },
    );
  return { ...users, organizationId, memberOf, set };
};

test.each([
  ["owner", "member", "admin", "done"],
  ["owner", "member", "owner", "done"],
  ["owner", "admin", ["member", "owner"], "done"],
  ["admin", "member", "admin", "done"],
  ["admin", "admin", "member", "done"],
  ["admin", "member", "owner", notAllowed],
  ["admin", "admin", "owner", notAllowed],
  // The owner's role counts among several.
  ["admin", "member", "member,owner", notAllowed],
  ["admin", "member", " member , owner ", notAllowed],
  ["admin", "member", ["member", "owner"], notAllowed],
  ["admin", "member", ["member,owner"], notAllowed],
  ["admin", "owner", "member", notAllowed],
  ["member", "member", "member", notAllowed],
  ["member", "admin", "member", notAllowed],
  ["member", "member", "owner", notAllowed],
  ["owner", "member", "", "VALIDATION_ERROR"],
  ["owner", "member", [], "VALIDATION_ERROR"],
  ["owner", "member", "boss", "VALIDATION_ERROR"],
  ["owner", "member", "member,", "VALIDATION_ERROR"],
  ["owner", "member", "constructor", "VALIDATION_ERROR"],
] as const)("the %s giving the %s the role %j: %s", async (by, of, role, outcome) => {
  const { set, organizationId } = await seed();
  const roles = typeof role === "string" ? role : [...role];
  expect(await outcomeOf(set(by, of, roles))).toBe(outcome);
  if (outcome !== "done")
    expect(await fixture.rolesIn(organizationId)).toEqual(["admin", "member", "owner"]);
});

test("stores roles trimmed and without duplicates, and records the change in the audit", async () => {
  const { set, memberOf, member, owner, organizationId } = await seed();
  const answer = await set("owner", "member", [" member", "admin ", "member"]);
  const { createdAt, id } = memberOf(member);
  expect(answer).toEqual({
    reply: { id, organizationId, userId: member.user.id, role: "member,admin", createdAt },
  });
  expect(await fixture.auditOf(organizationId)).toMatchObject([
    {
      actorKind: "user",
      actorId: owner.user.id,
      action: "member.role-changed",
      before: { id, userId: member.user.id, role: "member" },
      after: { id, userId: member.user.id, role: "member,admin" },
    },
  ]);
});

test("attack: an owner of one organization changes nobody in another", async () => {
  const [own, other] = [await seed(), await seed()];
  const memberId = other.memberOf(other.member).id;
  const outcomeIn = (organizationId: string) =>
    outcomeOf(fixture.setRole({ organizationId, person: own.owner }, { memberId, role: "admin" }));
  expect(await outcomeIn(own.organizationId)).toBe("MEMBER_NOT_FOUND");
  expect(await outcomeIn(other.organizationId)).toBe("MEMBER_NOT_FOUND");
  expect(await fixture.rolesIn(other.organizationId)).toEqual(["admin", "member", "owner"]);
});

test("fails without an organization and for an unknown one", async () => {
  const { memberOf, owner, member } = await seed();
  const { id: memberId } = memberOf(member);
  const outcomeIn = (organizationId: string) =>
    outcomeOf(fixture.setRole({ organizationId, person: owner }, { memberId, role: "admin" }));
  expect(await outcomeIn("")).toBe("NO_ACTIVE_ORGANIZATION");
  expect(await outcomeIn("nowhere")).toBe("MEMBER_NOT_FOUND");
});

// A caller who loses a role loses it for concurrent requests too, unless those came first.
test("demotes one of two owners who demote each other at once and refuses the other", async () => {
  for (let round = 0; round < 20; round += 1) {
    const [one, two] = [newPerson(), newPerson()];
    const { organization, memberOf } = await seedOrganization(fixture.db, [
      { person: one, role: "owner" },
      { person: two, role: "owner" },
    ]);
    const organizationId = organization.id;
    const demote = (person: typeof one, whom: typeof one) =>
      fixture.setRole({ organizationId, person }, { memberId: memberOf(whom).id, role: "member" });
    expect(await tally([demote(one, two), demote(two, one)])).toEqual({ done: 1, [notAllowed]: 1 });
    expect(await fixture.rolesIn(organizationId)).toEqual(["member", "owner"]);
  }
});

test("completes sixteen promotions by an admin before the admin's concurrent removal, or refuses them", async () => {
  const [owner, admin] = [newPerson(), newPerson()];
  const members = Array.from({ length: 16 }, () => newPerson());
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: owner, role: "owner" },
    { person: admin, role: "admin" },
    ...members.map((person) => ({ person, role: "member" })),
  ]);
  const organizationId = organization.id;
  const promotions = members.map((person) =>
    fixture.setRole(
      { organizationId, person: admin },
      { memberId: memberOf(person).id, role: "admin" },
    ),
  );
  const removal = fixture.remove({ organizationId, person: owner }, memberOf(admin).id);
  const { done = 0, MEMBER_NOT_FOUND: refused = 0 } = await tally([...promotions, removal]);
  expect(done + refused).toBe(17);
  const roles = await fixture.rolesIn(organizationId);
  expect(roles.filter((role) => role === "admin")).toHaveLength(done - 1);
  expect(roles).toHaveLength(17);
  const actions = (await fixture.auditOf(organizationId)).map(({ action }) => action);
  expect(actions.slice(actions.indexOf("member.removed") + 1)).toEqual([]);
});
