import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { leaveOrganization, removeMemberBy, updateMemberRole } from "../members/operations.ts";
import { recordBan } from "../organizations/forget-user.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy } from "../organizations/test-organizations.fixture.ts";
import { openInvitations } from "./test-invitations.fixture.ts";

expectNoLeaks("file");

const fixture = await openInvitations();
const deps = fixture.depsWith();
const aMinuteOn = fixture.depsWith({ clock: () => Date.now() + 60_000 });

interface Goodbye {
  organizationId: string;
  goes: Person;
  stays: Person;
  /** The membership of the user who leaves. */
  memberId: string;
}

const goodbyes = {
  removed: ({ organizationId, goes, stays }: Goodbye) =>
    removeMemberBy(deps, { organizationId, target: { userId: goes.user.id }, ...stays }),
  leaving: ({ organizationId, goes }: Goodbye) =>
    leaveOrganization(deps, callBy(goes, { body: { organizationId } })),
  demoted: ({ organizationId, stays, memberId }: Goodbye) =>
    updateMemberRole(deps, callBy(stays, { body: { organizationId, memberId, role: "member" } })),
};

const seed = async () => {
  const [goes, stays] = [newPerson(), newPerson()];
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: goes, role: "owner" },
    { person: stays, role: "owner" },
  ]);
  return { goes, stays, organizationId: organization.id, memberId: memberOf(goes).id };
};

/** Attack: an owner who expects to be removed invites a second address of theirs. */
test.each([
  ["removed", "member.removed"],
  ["leaving", "member.removed"],
  ["demoted", "member.role-changed"],
] as const)("cancels the pending invitations of an owner who is %s", async (way, action) => {
  const { organizationId, goes, stays, memberId } = await seed();
  const elsewhere = await seedOrganization(fixture.db, [{ person: goes, role: "owner" }]);
  const send = (by: Person, role: string, to = organizationId) =>
    fixture.invite({ organizationId: to, by, email: newPerson().user.email }, { role });
  const accomplice = newPerson();
  const own = { organizationId, by: goes, email: accomplice.user.email };
  const withdrawn = [
    await fixture.invite(own, { role: "owner" }),
    await send(goes, "member,owner"),
    await send(goes, "admin"),
    await send(goes, "member"),
  ];
  const unaffected = [
    await send(stays, "owner"),
    await send(goes, "owner", elsewhere.organization.id),
  ];
  const declined = newPerson();
  const over = await fixture.invite({ ...own, email: declined.user.email }, { role: "owner" });
  await fixture.reject(declined, over.id);
  await goodbyes[way]({ organizationId, goes, stays, memberId });
  for (const { id } of withdrawn) expect(await fixture.statusOf(id)).toBe("canceled");
  for (const { id } of unaffected) expect(await fixture.statusOf(id)).toBe("pending");
  expect(await fixture.statusOf(over.id)).toBe("rejected");
  expect(await outcomeOf(fixture.accept(accomplice, withdrawn[0]!.id))).toBe(
    "INVITATION_NOT_FOUND",
  );
  expect((await fixture.actionsOf(organizationId)).slice(-2)).toEqual([
    action,
    "invitation.canceled",
  ]);
});

test("leaves no pending invitation that is sent during the removal of its sender", async () => {
  for (let round = 0; round < 16; round += 1) {
    const { organizationId, goes, stays, memberId } = await seed();
    const { email } = newPerson().user;
    await Promise.all([
      outcomeOf(fixture.invite({ organizationId, by: goes, email }, { role: "owner" })),
      goodbyes.removed({ organizationId, goes, stays, memberId }),
    ]);
    const statuses = (await fixture.invitationsOf(organizationId)).map(({ status }) => status);
    expect(statuses).not.toContain("pending");
  }
});

test("keeps the invitations that a demoted owner may still send", async () => {
  const { organizationId, goes: by, stays, memberId } = await seed();
  const [asOwner, asAdmin] = [
    await fixture.invite({ organizationId, by, email: newPerson().user.email }, { role: "owner" }),
    await fixture.invite({ organizationId, by, email: newPerson().user.email }, { role: "admin" }),
  ];
  const body = { organizationId, memberId, role: "admin" };
  await updateMemberRole(deps, callBy(stays, { body }));
  expect(await fixture.statusOf(asOwner.id)).toBe("canceled");
  expect(await fixture.statusOf(asAdmin.id)).toBe("pending");
});

/** Attack: accomplices of an admin accept while the admin is demoted or removed. */
test.each(["removed", "demoted"] as const)(
  "admits nobody by the invitation of an inviter who was %s first",
  async (way) => {
    const count = 16;
    const guests = Array.from({ length: count }, () => newPerson());
    const { organizationId, goes: by, stays, memberId } = await seed();
    const ids = await Promise.all(
      guests.map(
        async ({ user: { email } }) => (await fixture.invite({ organizationId, by, email })).id,
      ),
    );
    const half = guests
      .slice(0, count / 2)
      .map((guest, index) => fixture.accept(guest, ids[index]!));
    const ending = goodbyes[way]({ organizationId, goes: by, stays, memberId });
    const rest = guests
      .slice(count / 2)
      .map((guest, index) => fixture.accept(guest, ids[count / 2 + index]!));
    const counts = await tally([...half, ...rest]);
    await ending;
    expect((counts["done"] ?? 0) + (counts["INVITATION_NOT_FOUND"] ?? 0)).toBe(count);
    const joined = (await fixture.membersOf(organizationId)).filter(({ userId }) =>
      guests.some(({ user }) => user.id === userId),
    );
    expect(joined).toHaveLength(counts["done"] ?? 0);
    const rows = await fixture.actionsOf(organizationId);
    const last = rows.findLastIndex((action) => action === "invitation.accepted");
    const end = rows.findIndex((action) => action === "invitation.canceled");
    // The end of the right to invite cancels pending invitations, so each acceptance must come before it.
    if (end >= 0) expect(last).toBeLessThan(end);
    const statuses = (await fixture.invitationsOf(organizationId)).map(({ status }) => status);
    expect(statuses).not.toContain("pending");
  },
);

test("refuses the invitations of an inviter while a ban is in force", async () => {
  const { organizationId, goes: by } = await seed();
  const { user } = newPerson();
  const guest = newPerson({ email: user.email });
  const { id } = await fixture.invite({ organizationId, by, email: user.email });
  const ban = (revision: number, banned: boolean, banExpires: string | null = null) =>
    recordBan(deps, {
      id: newTextId(),
      name: "user.ban-changed",
      version: 1,
      occurredAt: new Date().toISOString(),
      data: { userId: by.user.id, revision, banned, banExpires },
    });
  await ban(2, true);
  await ban(2, true); // delivered twice
  await ban(1, false); // out of order
  expect(await outcomeOf(fixture.accept(guest, id))).toBe("INVITATION_NOT_FOUND");
  expect(await outcomeOf(fixture.resend(by, id, aMinuteOn))).toBe("INVITATION_NOT_FOUND");
  expect(await fixture.statusOf(id)).toBe("pending");
  await ban(3, true, new Date(Date.now() - 1000).toISOString());
  expect(await outcomeOf(fixture.accept(guest, id))).toBe("done");
});

test("refuses the invitations of a deleted inviter before the memberships end", async () => {
  const { organizationId, goes: by } = await seed();
  const guest = newPerson();
  const { id } = await fixture.invite({ organizationId, by, email: guest.user.email });
  const departed = { userId: by.user.id, departedAt: new Date() };
  await fixture.db.insertInto("departedUser").values(departed).execute();
  expect(await outcomeOf(fixture.accept(guest, id))).toBe("INVITATION_NOT_FOUND");
});

const custom = {
  owner: { member: ["update", "delete"], invitation: ["create"], invoice: ["read", "pay"] },
  admin: { member: ["update", "delete"], invitation: ["create"], invoice: ["read"] },
  cashier: { invoice: ["read", "pay"] },
  member: { invoice: ["read"] },
};

/** Attack: an admin gives an accomplice, or themself, a role with permissions that the admin lacks. */
test("lets a caller give and take only roles whose permissions the caller has", async () => {
  const own = fixture.depsWith({ tree: { organization: { roles: custom } } });
  const [owner, admin, cashier] = [newPerson(), newPerson(), newPerson()];
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: owner, role: "owner" },
    { person: admin, role: "admin" },
    { person: cashier, role: "cashier" },
  ]);
  const organizationId = organization.id;
  const invite = (by: Person, role: string) =>
    outcomeOf(fixture.invite({ organizationId, by, email: newPerson().user.email }, { role }, own));
  const give = (by: Person, to: Person, role: string) =>
    outcomeOf(
      updateMemberRole(
        own,
        callBy(by, { body: { organizationId, memberId: memberOf(to).id, role } }),
      ),
    );
  const remove = (by: Person, id: string) =>
    outcomeOf(removeMemberBy(own, { organizationId, target: { id }, ...by }));
  for (const role of ["cashier", "member,cashier", "owner"])
    expect(await invite(admin, role)).toBe("YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
  expect(await invite(admin, "member,admin")).toBe("done");
  expect(await invite(owner, "cashier")).toBe("done");
  const refused = "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER";
  expect(await give(admin, admin, "admin,cashier")).toBe(refused);
  expect(await give(admin, cashier, "member")).toBe(refused);
  expect(await remove(admin, memberOf(cashier).id)).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER",
  );
  expect(await give(owner, cashier, "member")).toBe("done");
  expect(await give(admin, cashier, "admin")).toBe("done");
  expect(await remove(admin, memberOf(cashier).id)).toBe("done");
});

test("refuses an invitation whose role has gained permissions since", async () => {
  const { organizationId, goes } = await seed();
  const guest = newPerson();
  const admin = newPerson();
  await fixture.db
    .insertInto("member")
    .values({
      id: newTextId(),
      organizationId,
      userId: admin.user.id,
      role: "admin",
      teamId: null,
      createdAt: new Date(),
    })
    .execute();
  const { id } = await fixture.invite({ organizationId, by: admin, email: guest.user.email });
  const member = { organization: ["delete"] };
  const { owner: own, admin: admins } = deps.config.organization.roles;
  const wider = fixture.depsWith({
    clock: () => Date.now() + 60_000,
    tree: { organization: { roles: { owner: own, admin: admins, member } } },
  });
  expect(await outcomeOf(fixture.accept(guest, id, wider))).toBe("INVITATION_NOT_FOUND");
  expect(await outcomeOf(fixture.resend(goes, id, wider))).toBe("INVITATION_NOT_FOUND");
  expect(await outcomeOf(fixture.accept(guest, id))).toBe("done");
});
