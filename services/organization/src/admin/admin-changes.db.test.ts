import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { openInvitations } from "../invitations/test-invitations.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import { adminCancelInvitation } from "./invitations.ts";
import { adminRemoveMember } from "./members.ts";
import { adminUpdateOrganization } from "./organizations.ts";

expectNoLeaks("file");

const onlyOwner = "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";
const admin = newPerson({ role: "admin" });
const byAdmin = { actorKind: "user", actorId: admin.user.id };

const fixture = await openOrganizations();
const invitations = await openInvitations();

describe("changing an organization as an admin", () => {
  const update = (id: string, body: object) =>
    replyOf(adminUpdateOrganization(fixture.deps, callBy(admin, { params: { id }, body })));
  const seed = async () => (await seedOrganization(fixture.db, [])).organization;

  test("changes only the named fields, also for an admin who is not a member", async () => {
    const { createdAt: _, ...organization } = await seed();
    const changed = await update(organization.id, { name: "Bolt", metadata: { plan: "big" } });
    expect(changed).toMatchObject({ ...organization, name: "Bolt", metadata: '{"plan":"big"}' });
    expect(await fixture.auditOf(organization.id)).toEqual([
      {
        ...byAdmin,
        action: "organization.updated",
        before: { name: "Acme", metadata: "changed" },
        after: { name: "Bolt", metadata: "changed" },
      },
    ]);
  });

  test("changes nothing and writes no audit entry when no field is named", async () => {
    const { id, name } = await seed();
    expect(await update(id, {})).toMatchObject({ id, name });
    expect(await fixture.auditOf(id)).toEqual([]);
  });

  test("accepts the organization's own slug and rejects another organization's", async () => {
    const [one, other] = [await seed(), await seed()];
    expect(await outcomeOf(update(one.id, { slug: one.slug }))).toBe("done");
    expect(await outcomeOf(update(one.id, { slug: other.slug }))).toBe(
      "ORGANIZATION_ALREADY_EXISTS",
    );
  });

  test("gives a slug to exactly one of sixteen organizations that request it at once", async () => {
    const organizations = await Promise.all(Array.from({ length: 16 }, seed));
    const slug = newTextId();
    const trials = organizations.map(({ id }) => update(id, { slug }));
    expect(await tally(trials)).toEqual({ done: 1, ORGANIZATION_ALREADY_EXISTS: 15 });
  });

  test("fails for an unknown organization and changes nothing", async () => {
    expect(await outcomeOf(update(newTextId(), { name: "Bolt" }))).toBe("ORGANIZATION_NOT_FOUND");
  });
});

describe("removing a member as an admin", () => {
  const remove = (id: string, memberId: string) =>
    replyOf(adminRemoveMember(fixture.deps, callBy(admin, { params: { id }, body: { memberId } })));
  const seedOwners = async (count: number) => {
    const users = Array.from({ length: count }, () => newPerson());
    const { organization, memberOf } = await seedOrganization(
      fixture.db,
      users.map((person) => ({ person, role: "owner" })),
    );
    return { id: organization.id, members: users.map(memberOf) };
  };

  test("ends the membership, also of an owner, and names the admin in the audit", async () => {
    const { id, members } = await seedOwners(2);
    const [member] = members;
    const { id: memberId = "", userId } = member ?? {};
    expect(await remove(id, memberId)).toMatchObject({ id: memberId, userId, role: "owner" });
    expect(await fixture.auditOf(id)).toEqual([
      {
        ...byAdmin,
        action: "member.removed",
        before: { id: memberId, userId, role: "owner" },
        after: null,
      },
    ]);
  });

  test("keeps one of sixteen owners who are removed at once", async () => {
    const { id, members } = await seedOwners(16);
    const trials = members.map((member) => remove(id, member.id));
    expect(await tally(trials)).toEqual({ done: 15, [onlyOwner]: 1 });
  });

  test("removes a member once for sixteen concurrent requests, with one event", async () => {
    const { id, members } = await seedOwners(2);
    const memberId = members[0]?.id ?? "";
    const trials = Array.from({ length: 16 }, () => remove(id, memberId));
    expect(await tally(trials)).toEqual({ done: 1, MEMBER_NOT_FOUND: 15 });
    const events = await fixture.db
      .selectFrom("outbox")
      .select("id")
      .where("name", "=", "member.removed")
      .where("data", "like", `%${id}%`)
      .execute();
    expect(events).toHaveLength(1);
  });

  test("changes nothing for a member of another organization", async () => {
    const [one, other] = [await seedOwners(2), await seedOwners(2)];
    for (const [id, memberId] of [
      [other.id, one.members[0]?.id ?? ""],
      [newTextId(), one.members[0]?.id ?? ""],
      [one.id, newTextId()],
    ] as const)
      expect(await outcomeOf(remove(id, memberId))).toBe("MEMBER_NOT_FOUND");
    expect(await fixture.auditOf(one.id)).toEqual([]);
  });
});

describe("invitations as an admin", () => {
  const seedInvited = async () => {
    const seeded = await invitations.seed();
    const { organizationId, owner: by } = seeded;
    const { email } = newPerson().user;
    const { id } = await invitations.invite({ organizationId, by, email });
    return { ...seeded, id };
  };
  const auditOf = (organizationId: string) =>
    invitations.db
      .selectFrom("audit")
      .select(["actorKind", "actorId", "action", "before"])
      .where("subjectId", "=", organizationId)
      .orderBy("id")
      .execute();

  test("cancels an invitation and names the admin in the audit", async () => {
    const deps = invitations.depsWith();
    const { organizationId, id } = await seedInvited();
    const cancel = (organization: string, invitationId: string) =>
      replyOf(
        adminCancelInvitation(
          deps,
          callBy(admin, { params: { id: organization }, body: { invitationId } }),
        ),
      );
    const { organizationId: another } = await seedInvited();
    expect(await outcomeOf(cancel(another, id))).toBe("INVITATION_NOT_FOUND");
    expect(await outcomeOf(cancel(newTextId(), id))).toBe("INVITATION_NOT_FOUND");
    expect(await outcomeOf(cancel(organizationId, newTextId()))).toBe("INVITATION_NOT_FOUND");
    expect(await invitations.statusOf(id)).toBe("pending");
    expect(await cancel(organizationId, id)).toMatchObject({ id, status: "canceled" });
    expect((await auditOf(organizationId)).at(-1)).toEqual({
      ...byAdmin,
      action: "invitation.canceled",
      before: { id, status: "pending" },
    });
  });
});
