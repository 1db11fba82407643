import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { seedOrganization } from "../db/test-organization.fixture.ts";
import { openMembers, outcomeOf, tally } from "./test-members.fixture.ts";

expectNoLeaks("file");

const onlyOwner = "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";
const count = 16;

const fixture = await openMembers();

const seedOwners = async (number: number, role = "owner") => {
  const users = Array.from({ length: number }, () => newPerson());
  const seeded = await seedOrganization(
    fixture.db,
    users.map((person) => ({ person, role })),
  );
  return { users, organizationId: seeded.organization.id, memberOf: seeded.memberOf };
};

test("keeps one of two owners who leave at once", async () => {
  for (let round = 0; round < 30; round += 1) {
    const { users, organizationId } = await seedOwners(2);
    expect(await tally(users.map((person) => fixture.leave({ organizationId, person })))).toEqual({
      done: 1,
      [onlyOwner]: 1,
    });
    expect(await fixture.rolesIn(organizationId)).toEqual(["owner"]);
  }
});

test("keeps one of sixteen owners who leave at once", async () => {
  const { users, organizationId } = await seedOwners(count);
  expect(await tally(users.map((person) => fixture.leave({ organizationId, person })))).toEqual({
    done: count - 1,
    [onlyOwner]: 1,
  });
});

test("keeps an owner when owners leave, remove and demote themselves and each other at once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { users, organizationId, memberOf } = await seedOwners(count);
    const idOf = (person: Person) => memberOf(person).id;
    const next = (index: number) => users[(index + 1) % count] as Person;
    const ways = [
      (person: Person) => fixture.leave({ organizationId, person }),
      (person: Person, index: number) =>
        fixture.remove({ organizationId, person }, idOf(next(index))),
      (person: Person) => fixture.remove({ organizationId, person }, idOf(person)),
      (person: Person, index: number) =>
        fixture.setRole(
          { organizationId, person },
          { memberId: idOf(index % 2 ? person : next(index)), role: "admin" },
        ),
    ];
    const trials = users.map((person, index) =>
      outcomeOf((ways[(index + round) % ways.length] as (typeof ways)[1])(person, index)),
    );
    await Promise.all(trials);
    expect(await fixture.rolesIn(organizationId)).toContain("owner");
  }
});

test("treats a member with the owner's role among others as an owner", async () => {
  const { users, organizationId } = await seedOwners(2, "admin,owner");
  const [first, second] = users as [Person, Person];
  expect(await outcomeOf(fixture.leave({ organizationId, person: first }))).toBe("done");
  expect(await outcomeOf(fixture.leave({ organizationId, person: second }))).toBe(onlyOwner);
});

test("does not treat a role whose name contains the owner's as an owner", async () => {
  const owner = newPerson();
  const { organization } = await seedOrganization(fixture.db, [
    { person: owner, role: "owner" },
    { person: newPerson(), role: "co-owner" },
    { person: newPerson(), role: "member,owners" },
  ]);
  const departure = { organizationId: organization.id, person: owner };
  expect(await outcomeOf(fixture.leave(departure))).toBe(onlyOwner);
});

test("refuses to remove or demote the only owner, by themself or another", async () => {
  const [owner, admin] = [newPerson(), newPerson()];
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: owner, role: "owner" },
    { person: admin, role: "admin" },
  ]);
  const { id: memberId } = memberOf(owner);
  const organizationId = organization.id;
  for (const person of [owner, admin])
    expect(await outcomeOf(fixture.remove({ organizationId, person }, memberId))).toBe(onlyOwner);
  const demoted = fixture.setRole({ organizationId, person: owner }, { memberId, role: "member" });
  expect(await outcomeOf(demoted)).toBe(onlyOwner);
  expect(await fixture.rolesIn(organizationId)).toEqual(["admin", "owner"]);
});
