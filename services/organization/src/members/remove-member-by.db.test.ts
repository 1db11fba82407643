import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { seedOrganization } from "../db/test-organization.fixture.ts";
import { removeMember, removeMemberBy } from "./operations.ts";
import { callBy } from "../organizations/test-organizations.fixture.ts";
import { openMembers, outcomeOf, tally } from "./test-members.fixture.ts";

expectNoLeaks("file");

const onlyOwner = "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";
const notAllowed = "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER";

const fixture = await openMembers();

const seed = async () => {
  const people = {
    owner: newPerson(),
    coOwner: newPerson(),
    admin: newPerson(),
    member: newPerson(),
    outsider: newPerson(),
  };
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: people.owner, role: "owner" },
    { person: people.coOwner, role: "admin,owner" },
    { person: people.admin, role: "admin" },
    { person: people.member, role: "member" },
  ]);
  const organizationId = organization.id;
  const remove = (by: keyof typeof people, whom: keyof typeof people) =>
    fixture.remove({ organizationId, person: people[by] }, memberOf(people[whom]).id);
  return { ...people, organizationId, memberOf, remove };
};

test.each([
  ["owner", "member", "done"],
  ["owner", "coOwner", "done"],
  ["owner", "owner", "done"],
  ["coOwner", "owner", "done"],
  ["admin", "member", "done"],
  ["admin", "admin", "done"],
  ["admin", "owner", onlyOwner],
  ["member", "owner", onlyOwner],
  ["member", "admin", notAllowed],
  ["member", "member", notAllowed],
  ["outsider", "member", "MEMBER_NOT_FOUND"],
] as const)("the %s removing the %s: %s", async (by, whom, outcome) => {
  const { remove, organizationId } = await seed();
  expect(await outcomeOf(remove(by, whom))).toBe(outcome);
  expect(await fixture.rolesIn(organizationId)).toHaveLength(outcome === "done" ? 3 : 4);
});

test("refuses an unauthorized removal with status 401", async () => {
  const { remove } = await seed();
  await expect(remove("member", "admin")).rejects.toMatchObject({ status: 401 });
});

test("publishes an event for sessions and records both users in the audit", async () => {
  const { remove, organizationId, memberOf, admin, member } = await seed();
  await remove("admin", "member");
  const [event, ...others] = await fixture.eventsNamed("member.removed", organizationId);
  expect(JSON.parse(event ?? "")).toEqual({ organizationId, userId: member.user.id });
  expect(others).toEqual([]);
  const { id } = memberOf(member);
  expect(await fixture.auditOf(organizationId)).toEqual([
    {
      actorKind: "user",
      actorId: admin.user.id,
      action: "member.removed",
      before: { id, userId: member.user.id, role: "member" },
      after: null,
    },
  ]);
});

test("removes a member once for sixteen concurrent requests", async () => {
  const { remove, organizationId } = await seed();
  const trials = Array.from({ length: 16 }, () => remove("owner", "member"));
  expect(await tally(trials)).toEqual({ done: 1, MEMBER_NOT_FOUND: 15 });
  expect(await fixture.eventsNamed("member.removed", organizationId)).toHaveLength(1);
});

test("attack: an owner of one organization removes nobody from another", async () => {
  const [own, other] = [await seed(), await seed()];
  const { id } = other.memberOf(other.member);
  const userId = other.member.user.id;
  for (const target of [{ id }, { userId }]) {
    const removal = { organizationId: own.organizationId, target, ...own.owner };
    expect(await outcomeOf(removeMemberBy(fixture.deps, removal))).toBe("MEMBER_NOT_FOUND");
  }
  expect(await fixture.rolesIn(other.organizationId)).toHaveLength(4);
});

test("attack: a stranger removes by address and learns no address, because identity is not called", async () => {
  const { outsider, organizationId } = await seed();
  const body = { memberIdOrEmail: "ada@example.com", organizationId };
  const removal = removeMember(fixture.deps, callBy(outsider, { body }));
  expect(await outcomeOf(removal)).toBe("MEMBER_NOT_FOUND"); // identity is unavailable
});

test("removes a member by user id", async () => {
  const { owner, member, organizationId } = await seed();
  const target = { userId: member.user.id };
  const ended = await removeMemberBy(fixture.deps, { organizationId, target, ...owner });
  expect(ended.userId).toBe(member.user.id);
  expect(await fixture.rolesIn(organizationId)).toHaveLength(3);
});

test("shows a leaving member with their user without calling identity, and publishes the event", async () => {
  const { member, memberOf, organizationId } = await seed();
  const { id, createdAt } = memberOf(member);
  const { user } = member;
  const answer = await fixture.leave({ organizationId, person: member });
  expect(answer).toEqual({
    reply: {
      id,
      organizationId,
      userId: user.id,
      role: "member",
      createdAt,
      user: { id: user.id, name: user.name, email: user.email, image: null },
    },
  });
  expect(await fixture.eventsNamed("member.removed", organizationId)).toHaveLength(1);
  const again = fixture.leave({ organizationId, person: member });
  expect(await outcomeOf(again)).toBe("MEMBER_NOT_FOUND");
});
