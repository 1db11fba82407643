import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { forgetUser } from "./forget-user.ts";
import { openMembers, outcomeOf } from "../members/test-members.fixture.ts";

expectNoLeaks("file");

const fixture = await openMembers();

const deletionOf = ({ user: { id: userId, email } }: Person, occurredAt = new Date()) => ({
  id: newTextId(),
  name: "user.deleted" as const,
  version: 1,
  occurredAt: occurredAt.toISOString(),
  data: { userId, email },
});

const seed = (...users: readonly [Person, string][]) =>
  seedOrganization(
    fixture.db,
    users.map(([person, role]) => ({ person, role })),
  );

const exists = async (organizationId: string) => {
  const row = await fixture.db
    .selectFrom("organization")
    .select("id")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  return row !== undefined;
};

const invitationsIn = async (organizationId: string) => {
  const rows = await fixture.db
    .selectFrom("invitation")
    .select("id")
    .where("organizationId", "=", organizationId)
    .execute();
  return rows.map(({ id }) => id);
};

const insertInvitation = async (given: {
  organizationId: string;
  inviterId: string;
  email: string;
  status?: "accepted";
  createdAt?: Date;
}): Promise<string> => {
  const id = newTextId();
  const { status = "pending", createdAt = new Date(), ...members } = given;
  const expiresAt = new Date(createdAt.getTime() + 3_600_000);
  await fixture.db
    .insertInto("invitation")
    .values({
      id,
      role: "member",
      teamId: null,
      status,
      createdAt,
      mailedAt: createdAt,
      expiresAt,
      ...members,
    })
    .execute();
  return id;
};

test("deletes the memberships of a deleted user and no others", async () => {
  const [user, owner] = [newPerson(), newPerson()];
  const joined = await seed([owner, "owner"], [user, "member"]);
  const shared = await seed([owner, "owner"], [user, "owner"]);
  const foreign = await seed([owner, "owner"], [newPerson(), "member"]);
  await forgetUser(fixture.deps, deletionOf(user));
  for (const { organization } of [joined, shared])
    expect(await fixture.rolesIn(organization.id)).toEqual(["owner"]);
  expect(await fixture.rolesIn(foreign.organization.id)).toEqual(["member", "owner"]);
  expect(await fixture.eventsNamed("member.removed", user.user.id)).toHaveLength(2);
  expect(await fixture.auditOf(joined.organization.id)).toMatchObject([
    { actorKind: "system", action: "member.removed", before: { userId: user.user.id } },
  ]);
});

describe("deleting the last owner of an organization", () => {
  const seedOwned = async () => {
    const [owner, member] = [newPerson(), newPerson()];
    const { organization } = await seed([owner, "admin,owner"], [member, "admin"]);
    return { owner, member, organizationId: organization.id };
  };

  test("deletes the organization and updates its members' sessions by default", async () => {
    const { owner, member, organizationId } = await seedOwned();
    await forgetUser(fixture.deps, deletionOf(owner));
    expect(await exists(organizationId)).toBe(false);
    expect(await fixture.rolesIn(organizationId)).toEqual([]);
    const [event] = await fixture.eventsNamed("organization.deleted", organizationId);
    expect(JSON.parse(event ?? "")).toEqual({
      organizationId,
      userIds: [owner.user.id, member.user.id],
    });
  });

  test("keeps the rest of the organization if the options say so", async () => {
    const { owner, organizationId } = await seedOwned();
    const deps = fixture.depsWith({ organization: { onLastOwnerDeleted: "keep" } });
    await forgetUser(deps, deletionOf(owner));
    expect(await exists(organizationId)).toBe(true);
    expect(await fixture.rolesIn(organizationId)).toEqual(["admin"]);
    expect(await fixture.eventsNamed("organization.deleted", organizationId)).toEqual([]);
  });
});

test("deletes the organization when its sixteen owners are deleted at once", async () => {
  const owners = Array.from({ length: 16 }, () => newPerson());
  const { organization } = await seed(...owners.map((owner): [Person, string] => [owner, "owner"]));
  await Promise.all(owners.map((owner) => forgetUser(fixture.deps, deletionOf(owner))));
  expect(await exists(organization.id)).toBe(false);
  expect(await fixture.eventsNamed("organization.deleted", organization.id)).toHaveLength(1);
});

test("leaves no organization without an owner if one owner leaves while the other is deleted", async () => {
  for (let round = 0; round < 20; round += 1) {
    const [one, two] = [newPerson(), newPerson()];
    const { organization } = await seed([one, "owner"], [two, "owner"]);
    const organizationId = organization.id;
    await Promise.all([
      outcomeOf(fixture.leave({ organizationId, person: one })),
      forgetUser(fixture.deps, deletionOf(two)),
    ]);
    if (await exists(organizationId))
      expect(await fixture.rolesIn(organizationId)).toEqual(["owner"]);
  }
});

test("has one effect when an event is delivered sixteen times at once and once more", async () => {
  const [user, owner] = [newPerson(), newPerson()];
  const organizations = [];
  for (let index = 0; index < 5; index += 1)
    organizations.push(await seed([owner, "owner"], [user, "member"]));
  organizations.push(await seed([user, "owner"], [owner, "member"]));
  const event = deletionOf(user);
  await Promise.all(Array.from({ length: 16 }, () => forgetUser(fixture.deps, event)));
  await forgetUser(fixture.deps, event);
  expect(await fixture.eventsNamed("member.removed", user.user.id)).toHaveLength(5);
  expect(await fixture.eventsNamed("organization.deleted", user.user.id)).toHaveLength(1);
  for (const { organization } of organizations.slice(0, 5))
    expect(await fixture.auditOf(organization.id)).toHaveLength(1);
});

// A process may end in the middle of the work. Completed steps stay, and the next delivery finishes the rest.
test("finishes interrupted work on the next delivery", async () => {
  const [user, owner] = [newPerson(), newPerson()];
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1)
    ids.push((await seed([owner, "owner"], [user, "member"])).organization.id);
  let steps = 0;
  const wakeRelay = () => {
    steps += 1;
    if (steps === 3) throw new Error("the process ends");
  };
  const event = deletionOf(user);
  await expect(forgetUser({ ...fixture.deps, wakeRelay }, event)).rejects.toThrow(
    "the process ends",
  );
  const roleLists = await Promise.all(ids.map((id) => fixture.rolesIn(id)));
  expect(roleLists.filter((roles) => roles.length === 2)).toHaveLength(3);
  const [organizationId = ""] = ids;
  const late = fixture.enrol({ organizationId, person: user });
  expect(await outcomeOf(late)).toBe("USER_NOT_FOUND");
  await forgetUser(fixture.deps, event);
  for (const id of ids) expect(await fixture.rolesIn(id)).toEqual(["owner"]);
  expect(await fixture.eventsNamed("member.removed", user.user.id)).toHaveLength(6);
});

test("removes a user from more organizations than one batch holds", async () => {
  const [user, owner] = [newPerson(), newPerson()];
  const ids: string[] = [];
  for (let index = 0; index < 205; index += 1)
    ids.push((await seed([owner, "owner"], [user, "member"])).organization.id);
  await forgetUser(fixture.deps, deletionOf(user));
  const remaining = await fixture.db
    .selectFrom("member")
    .select("id")
    .where("userId", "=", user.user.id)
    .execute();
  expect(remaining).toEqual([]);
  expect(await fixture.eventsNamed("member.removed", user.user.id)).toHaveLength(ids.length);
});

const hasExactly = (wanted: readonly string[]) => (ids: string[]) =>
  JSON.stringify(ids.toSorted()) === JSON.stringify(wanted.toSorted());

test("deletes the invitations by a deleted user and to their address, and no others", async () => {
  const [user, owner] = [newPerson(), newPerson()];
  const { email } = user.user;
  const inviterId = owner.user.id;
  const joined = await seed([owner, "owner"], [user, "admin"]);
  const other = await seed([owner, "owner"]);
  const organizationId = joined.organization.id;
  const elsewhere = other.organization.id;
  const someone = "someone@example.com";
  const toThem = { organizationId: elsewhere, inviterId, email };
  const sent = await insertInvitation({
    organizationId,
    inviterId: user.user.id,
    email: someone,
  });
  const received = await insertInvitation(toThem);
  const accepted = await insertInvitation({ ...toThem, status: "accepted" });
  const unaffected = [
    await insertInvitation({ ...toThem, email: someone }),
    // An invitation to another user who has taken the address since.
    await insertInvitation({ ...toThem, createdAt: new Date(Date.now() + 60_000) }),
  ];
  await forgetUser(fixture.deps, deletionOf(user));
  expect(await invitationsIn(organizationId)).toEqual([]);
  expect((await invitationsIn(elsewhere)).toSorted()).toEqual(unaffected.toSorted());
  for (const [id, ...invitationIds] of [
    [organizationId, sent],
    [elsewhere, received, accepted],
  ])
    expect(await fixture.auditOf(id as string)).toContainEqual(
      expect.objectContaining({
        action: "invitation.deleted",
        before: { invitationIds: expect.toSatisfy(hasExactly(invitationIds)) },
      }),
    );
});

test("deletes the rest for an event without an address", async () => {
  const [user, owner] = [newPerson(), newPerson()];
  const { organization } = await seed([owner, "owner"], [user, "admin"]);
  const organizationId = organization.id;
  const sent = { organizationId, inviterId: user.user.id, email: "someone@example.com" };
  await insertInvitation(sent);
  const toThem = { organizationId, inviterId: owner.user.id, email: user.user.email };
  const received = await insertInvitation(toThem);
  await forgetUser(fixture.deps, { ...deletionOf(user), data: { userId: user.user.id } });
  expect(await fixture.rolesIn(organizationId)).toEqual(["owner"]);
  expect(await invitationsIn(organizationId)).toEqual([received]);
});
