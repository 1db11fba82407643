import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { adminSetMemberRole } from "./members.ts";

expectNoLeaks("file");

const onlyOwner = "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";

const fixture = await openOrganizations();

const admin = newPerson({ role: "admin" });

const setRole = (id: string, body: { memberId: string; role: string | string[] }) =>
  replyOf(adminSetMemberRole(fixture.deps, callBy(admin, { params: { id }, body })));

const seedOwners = async (count: number) => {
  const users = Array.from({ length: count }, () => newPerson());
  const { organization, memberOf } = await seedOrganization(
    fixture.db,
    users.map((person) => ({ person, role: "owner" })),
  );
  const members = users.map(memberOf);
  return { id: organization.id, users, members };
};

test("lets an admin set roles in an organization that they do not belong to", async () => {
  const { id, members } = await seedOwners(2);
  const [member] = members;
  if (!member) throw new Error("there is no member");
  const { teamId: _, ...shown } = member;
  const changed = await setRole(id, { memberId: member.id, role: [" admin", "member", "admin"] });
  expect(changed).toStrictEqual({ ...shown, role: "admin,member" });
  expect(await fixture.auditOf(id)).toMatchObject([
    { actorKind: "user", actorId: admin.user.id, before: { role: "owner" } },
  ]);
});

test("keeps one of sixteen owners who are demoted at once", async () => {
  const { id, members } = await seedOwners(16);
  const demotions = members.map((member) => setRole(id, { memberId: member.id, role: "member" }));
  expect(await tally(demotions)).toEqual({ done: 15, [onlyOwner]: 1 });
});

test("gives an owner to an organization that has none", async () => {
  const person: Person = newPerson();
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person, role: "member" },
  ]);
  const memberId = memberOf(person).id;
  expect(await setRole(organization.id, { memberId, role: "owner" })).toMatchObject({
    role: "owner",
  });
});

test("rejects a member of another organization and an unknown role", async () => {
  const { id } = await seedOwners(1);
  const { members } = await seedOwners(2);
  const memberId = members[0]?.id ?? "";
  const role = "member";
  expect(await outcomeOf(setRole(id, { memberId, role }))).toBe("MEMBER_NOT_FOUND");
  expect(await outcomeOf(setRole(newTextId(), { memberId, role }))).toBe("MEMBER_NOT_FOUND");
  expect(await outcomeOf(setRole(id, { memberId, role: "king" }))).toBe("VALIDATION_ERROR");
  const rows = fixture.db.selectFrom("member").select("role").where("id", "=", memberId);
  expect(await rows.execute()).toEqual([{ role: "owner" }]);
});
