import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { createTestClock, expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { getInvitation, listUserInvitations, openInvitation } from "./recipient-operations.ts";
import { listInvitations } from "./operations.ts";
import { openInvitations, type OpenedInvitations } from "./test-invitations.fixture.ts";

expectNoLeaks("file");

type Operations = typeof operations.organization;
const count = 16;
const notFound = "INVITATION_NOT_FOUND";

const fixture = await openInvitations();
const plain = fixture.depsWith();
const aMinuteOn = fixture.depsWith({ clock: () => Date.now() + 60_000 });

const seedInvited = async (given: Parameters<OpenedInvitations["invite"]>[1] = {}) => {
  const seeded = await fixture.seed();
  const guest = newPerson();
  const { organizationId, owner: by } = seeded;
  const invitation = await fixture.invite({ organizationId, by, email: guest.user.email }, given);
  return { ...seeded, guest, invitation };
};

const list = async (person: Person, organizationId?: string) => {
  const call = { query: organizationId === undefined ? {} : { organizationId }, ...person };
  const answer = await listInvitations(
    plain,
    call as unknown as Call<Operations["listInvitations"]>,
  );
  return "reply" in answer ? answer.reply : [];
};
const listOwn = async (person: Person, deps = plain) => {
  const call = person as unknown as Call<Operations["listUserInvitations"]>;
  const answer = await listUserInvitations(deps, call);
  return "reply" in answer ? answer.reply : [];
};
const get = (person: Person, id: string, deps = plain) =>
  getInvitation(deps, { query: { id }, ...person } as unknown as Call<Operations["getInvitation"]>);

/** Attack: a member reads the id of an invitation in a list, and learns who invited which address. */
test("shows an invitation to a reader of its mail, and to nobody by another id", async () => {
  const { guest, invitation, owner, organization } = await seedInvited();
  const identity = { call: async () => ({ users: [owner.user] }) };
  const { caller } = newPerson();
  const open = (id: string) => {
    const call = { query: { id }, caller } as unknown as Call<Operations["openInvitation"]>;
    return openInvitation({ ...plain, identity } as unknown as typeof plain, call); // it answers every call alike
  };
  const mailedId = fixture.mailedId(invitation);
  expect(await open(mailedId)).toEqual({
    reply: {
      email: guest.user.email,
      role: "member",
      expiresAt: invitation.expiresAt,
      organizationName: organization.name,
      inviterEmail: owner.user.email,
    },
  });
  for (const id of [invitation.id, `${mailedId}0`])
    await expect(open(id)).rejects.toThrow("Invitation not found!");
  await fixture.reject(guest, invitation.id);
  await expect(open(mailedId)).rejects.toThrow("Invitation not found!");
});

test("rejects an invitation once for sixteen concurrent requests, and then refuses to accept it", async () => {
  const { guest, invitation, organizationId } = await seedInvited();
  const trials = Array.from({ length: count }, () => fixture.reject(guest, invitation.id));
  expect(await tally(trials)).toEqual({ done: 1, OFFERED_INVITATION_NOT_FOUND: count - 1 });
  expect(await fixture.statusOf(invitation.id)).toBe("rejected");
  expect(await outcomeOf(fixture.accept(guest, invitation.id))).toBe(notFound);
  expect(await fixture.actionsOf(organizationId)).toEqual([
    "invitation.created",
    "invitation.rejected",
  ]);
});

test("cancels an invitation whatever its status and keeps the membership that it led to", async () => {
  const { guest, invitation, organizationId, admin } = await seedInvited();
  await fixture.accept(guest, invitation.id);
  expect(await fixture.cancel(admin, invitation.id)).toMatchObject({
    reply: { id: invitation.id, status: "canceled" },
  });
  expect(await fixture.membersOf(organizationId)).toHaveLength(4);
});

test("lets only permitted members cancel and resend, and reveals nothing to strangers", async () => {
  const { invitation, member, guest } = await seedInvited();
  const { owner: stranger } = await fixture.seed();
  const { id } = invitation;
  expect(await outcomeOf(fixture.cancel(member, id))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION",
  );
  expect(await outcomeOf(fixture.resend(member, id))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
  );
  for (const person of [stranger, guest]) {
    expect(await outcomeOf(fixture.cancel(person, id))).toBe("MEMBER_NOT_FOUND");
    expect(await outcomeOf(fixture.resend(person, id))).toBe(notFound);
  }
  expect(await outcomeOf(fixture.cancel(stranger, "nothing"))).toBe(notFound);
  expect(await outcomeOf(fixture.resend(stranger, "nothing"))).toBe(notFound);
  expect(await fixture.statusOf(id)).toBe("pending");
});

test("keeps the id of a resent invitation, restarts its lifetime and mails it again", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const { organizationId, owner: by, admin } = await fixture.seed();
  const guest = newPerson();
  const { email } = guest.user;
  const { id } = await fixture.invite({ organizationId, by, email }, {}, deps);
  clock.advance(172_799_999);
  const expiresAt = new Date(clock.now() + 172_800_000);
  expect(await fixture.resend(admin, id, deps)).toMatchObject({ reply: { id, expiresAt } });
  expect(await fixture.mailsTo(email)).toMatchObject([
    { invitationId: id, inviterEmail: by.user.email },
    {
      invitationId: id,
      inviterId: admin.user.id,
      inviterEmail: admin.user.email,
      expiresAt: expiresAt.toISOString(),
    },
  ]);
  clock.advance(1);
  expect(await outcomeOf(fixture.accept(guest, id, deps))).toBe("done");
});

/** Attack: one invitation, sent again and again, floods a stranger's mailbox. */
test("mails an invitation at most once a minute, also for concurrent requests", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const { organizationId, owner, admin } = await fixture.seed();
  const { email } = newPerson().user;
  const { id } = await fixture.invite({ organizationId, by: owner, email }, {}, deps);
  for (let mails = 1; mails <= 2; mails += 1) {
    clock.advance(59_000);
    await expect(fixture.resend(owner, id, deps)).rejects.toMatchObject({
      code: "TOO_MANY_REQUESTS",
      status: 429,
      retryAfterSeconds: 1,
    });
    expect(await fixture.mailsTo(email)).toHaveLength(mails);
    clock.advance(1_000);
    const trials = Array.from({ length: count }, (_, index) =>
      fixture.resend(index % 2 ? owner : admin, id, deps),
    );
    expect(await tally(trials)).toEqual({ done: 1, TOO_MANY_REQUESTS: count - 1 });
    expect(await fixture.mailsTo(email)).toHaveLength(mails + 1);
  }
  await expect(fixture.resend(owner, id, deps)).rejects.toMatchObject({ retryAfterSeconds: 60 });
});

test("refuses to resend an expired or decided invitation", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const { organizationId, owner } = await fixture.seed();
  const guests = [newPerson(), newPerson(), newPerson(), newPerson()] as const;
  const [accepted, rejected, canceled, expired] = await Promise.all(
    guests.map(({ user: { email } }) =>
      fixture.invite({ organizationId, by: owner, email }, {}, deps),
    ),
  );
  await fixture.accept(guests[0], accepted!.id, deps);
  await fixture.reject(guests[1], rejected!.id, deps);
  await fixture.cancel(owner, canceled!.id, deps);
  for (const { id } of [accepted!, rejected!, canceled!])
    expect(await outcomeOf(fixture.resend(owner, id, deps))).toBe(notFound);
  clock.advance(172_800_000);
  expect(await outcomeOf(fixture.resend(owner, expired!.id, deps))).toBe(notFound);
});

/** Attack: an admin resends an owner's invitation, with a copy of the link to themself. */
test("lets only owners resend an invitation to be an owner", async () => {
  const { invitation, admin, owner } = await seedInvited({ role: "member,owner" });
  expect(await outcomeOf(fixture.resend(admin, invitation.id))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
  );
  expect(await outcomeOf(fixture.resend(owner, invitation.id, aMinuteOn))).toBe("done");
});

test("never leaves an invitation pending that is resent and canceled at once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { invitation, owner, admin } = await seedInvited();
    await Promise.all([
      outcomeOf(fixture.resend(owner, invitation.id, aMinuteOn)),
      outcomeOf(fixture.cancel(admin, invitation.id)),
    ]);
    expect(await fixture.statusOf(invitation.id)).toBe("canceled");
  }
});

test("shows an invitation to its recipient while it is pending and its inviter is a member", async () => {
  const tree = { organization: { requireEmailVerificationOnInvitation: true } };
  const strict = fixture.depsWith({ tree });
  const { guest, invitation, admin, owner } = await seedInvited();
  const { id } = invitation;
  expect(await outcomeOf(get(guest, "nothing"))).toBe("OFFERED_INVITATION_NOT_FOUND");
  expect(await outcomeOf(get(admin, id))).toBe("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
  const user = { ...guest.user, emailVerified: false };
  const unproven = { ...guest, user, session: { ...guest.session, user } };
  const unverified = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";
  expect(await outcomeOf(get(unproven, fixture.mailedId(invitation), strict))).toBe(unverified);
  expect(await outcomeOf(get(unproven, id))).toBe(unverified);
  await fixture.db.deleteFrom("member").where("userId", "=", owner.user.id).execute();
  expect(await outcomeOf(get(guest, id))).toBe("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  expect(await outcomeOf(fixture.accept(guest, id))).toBe("INVITATION_NOT_FOUND");
  await fixture.reject(guest, id);
  expect(await outcomeOf(get(guest, id))).toBe("OFFERED_INVITATION_NOT_FOUND");
});

test("shows members all invitations of their organization, whatever their status, oldest first", async () => {
  const { organizationId, owner: by, member } = await fixture.seed();
  expect(await list(member, organizationId)).toEqual([]);
  const emails = ["one@example.com", "two@example.com", "three@example.com"];
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  for (const email of emails) {
    clock.advance(1);
    await fixture.invite({ organizationId, by, email }, {}, deps);
  }
  const shown = await list(member, organizationId);
  expect(shown.map(({ email }) => email)).toEqual(emails);
  expect(Object.keys(shown[0] ?? {}).toSorted()).toEqual(
    ["email", "expiresAt", "id", "inviterId", "organizationId", "role", "status"].toSorted(),
  );
  const managed = await list(by, organizationId);
  await fixture.cancel(by, managed[1]!.id);
  const statuses = (await list(member, organizationId)).map(({ status }) => status);
  expect(statuses).toEqual(["pending", "canceled", "pending"]);
});

test("shows the invitations of an organization only to its members", async () => {
  const { organizationId } = await seedInvited();
  const stranger = newPerson();
  const outcome = "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION";
  expect(await outcomeOf(list(stranger, organizationId))).toBe(outcome);
  expect(await outcomeOf(list(stranger, "nothing"))).toBe(outcome);
  expect(await outcomeOf(list(stranger))).toBe("ORGANIZATION_ID_IS_REQUIRED");
  expect(await outcomeOf(list(newPerson({ activeOrganizationId: organizationId })))).toBe(outcome);
});

test("lists the newest of more than a hundred invitations", async () => {
  const { organizationId, owner } = await fixture.seed();
  const start = Date.now();
  const rows = Array.from({ length: 130 }, (_, index) => ({
    id: newTextId(),
    organizationId,
    email: "ada@many.example",
    role: "member",
    teamId: null,
    status: "pending" as const,
    expiresAt: new Date(start + 3_600_000),
    inviterId: owner.user.id,
    createdAt: new Date(start + index),
    mailedAt: new Date(start + index),
  }));
  await fixture.db.insertInto("invitation").values(rows).execute();
  const newest = rows.slice(30).map((row) => fixture.mailedId(row));
  expect((await list(owner, organizationId)).map(({ id }) => id)).toEqual(newest);
  const ada = newPerson({ email: "ada@many.example" });
  expect((await listOwn(ada)).map(({ id }) => id)).toEqual(newest);
});

test("shows a user their pending invitations with the organizations' names", async () => {
  const tree = { organization: { requireEmailVerificationOnInvitation: true } };
  const strict = fixture.depsWith({ tree });
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const guest = newPerson({ emailVerified: false });
  const { email } = guest.user;
  const [one, other] = [await fixture.seed(), await fixture.seed()];
  const first = await fixture.invite({ ...one, by: one.owner, email }, {}, deps);
  clock.advance(1);
  const second = await fixture.invite({ ...other, by: other.owner, email }, {}, deps);
  await fixture.invite({ ...one, by: one.owner, email: "else@example.com" }, {}, deps);
  const offers = [
    { ...one, id: fixture.mailedId(first) },
    { ...other, id: fixture.mailedId(second) },
  ].map(({ id, organization }) => ({
    id,
    organizationName: organization.name,
    organizationSlug: organization.slug,
  }));
  const user = { ...guest.user, emailVerified: true };
  const proven = { ...guest, user, session: { ...guest.session, user } };
  expect(await listOwn(proven, deps)).toMatchObject(offers);

  // Attack: a stranger registers an address without proving it, and learns where its owner is invited.
  expect(await listOwn(guest, deps)).toEqual([]);
  const { id: secondMailed } = offers[1]!;
  await fixture.db.updateTable("invitation").set({ openedBy: newTextId() }).execute();
  expect(await listOwn(guest, deps)).toEqual([]);
  // Identity is unavailable here. The opening is recorded before identity is called.
  await expect(get(guest, secondMailed, deps)).rejects.toThrow("ECONNREFUSED");
  expect(await listOwn(guest, deps)).toMatchObject([offers[1]]);
  await fixture.db
    .updateTable("member")
    .set({ role: "member" })
    .where("userId", "=", other.owner.user.id)
    .execute();
  expect(await listOwn(guest, deps)).toEqual([]);
  clock.advance(172_800_000);
  expect(await listOwn(guest, deps)).toEqual([]);
  expect(await outcomeOf(listOwn(guest, strict))).toBe(
    "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION",
  );
});

/** Attack: an invitation that is sent again every minute goes around the limit of an hour. */
test("counts resent mails for the hourly limit of the sender and the address", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const { organizationId, owner, admin } = await fixture.seed();
  const { email } = newPerson().user;
  const { id } = await fixture.invite({ organizationId, by: owner, email }, {}, deps);
  for (let mails = 1; mails < 5; mails += 1) {
    clock.advance(60_000);
    expect(await outcomeOf(fixture.resend(owner, id, deps))).toBe("done");
  }
  clock.advance(60_000);
  expect(await outcomeOf(fixture.resend(owner, id, deps))).toBe("INVITATION_LIMIT_REACHED");
  expect(await fixture.mailsTo(email)).toHaveLength(5);
  expect(await outcomeOf(fixture.resend(admin, id, deps))).toBe("done");
});
