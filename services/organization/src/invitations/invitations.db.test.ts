import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit";
import { createTestClock, expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTextId } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { getInvitation } from "./get-invitation.ts";
import { listInvitations } from "./list-invitations.ts";
import { listUserInvitations } from "./list-user-invitations.ts";
import {
  openInvitations,
  type OpenedInvitations,
  type TestDeps,
} from "./test-invitations.fixture.ts";

expectNoLeaks("file");

type Operations = typeof operations.organization;
const count = 16;
const notFound = "INVITATION_NOT_FOUND";

let it: OpenedInvitations;
let plain: TestDeps;
/** When what was mailed just now may be mailed again. */
let aMinuteOn: TestDeps;
beforeAll(async () => {
  it = await openInvitations();
  plain = it.depsWith();
  aMinuteOn = it.depsWith({ clock: () => Date.now() + 60_000 });
});
afterAll(() => it.close());

const seedInvited = async (given: Parameters<OpenedInvitations["invite"]>[1] = {}) => {
  const seeded = await it.seed();
  const guest = newPerson();
  const { organizationId, owner: by } = seeded;
  const invitation = await it.invite({ organizationId, by, email: guest.user.email }, given);
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

test("an invitation that is rejected by sixteen requests at once is rejected once, and not accepted any more", async () => {
  const { guest, invitation, organizationId } = await seedInvited();
  const trials = Array.from({ length: count }, () => it.reject(guest, invitation.id));
  expect(await tally(trials)).toEqual({ done: 1, OFFERED_INVITATION_NOT_FOUND: count - 1 });
  expect(await it.statusOf(invitation.id)).toBe("rejected");
  expect(await outcomeOf(it.accept(guest, invitation.id))).toBe(notFound);
  expect(await it.actionsOf(organizationId)).toEqual(["invitation.created", "invitation.rejected"]);
});

test("whatever became of an invitation, it is withdrawn, and a membership that came of it stays", async () => {
  const { guest, invitation, organizationId, admin } = await seedInvited();
  await it.accept(guest, invitation.id);
  expect(await it.cancel(admin, invitation.id)).toMatchObject({
    reply: { id: invitation.id, status: "canceled" },
  });
  expect(await it.membersOf(organizationId)).toHaveLength(4);
});

test("only members who may do so withdraw and resend, and strangers learn of nothing", async () => {
  const { invitation, member, guest } = await seedInvited();
  const { owner: stranger } = await it.seed();
  const { id } = invitation;
  expect(await outcomeOf(it.cancel(member, id))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION",
  );
  expect(await outcomeOf(it.resend(member, id))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
  );
  for (const person of [stranger, guest]) {
    expect(await outcomeOf(it.cancel(person, id))).toBe("MEMBER_NOT_FOUND");
    expect(await outcomeOf(it.resend(person, id))).toBe(notFound);
  }
  expect(await outcomeOf(it.cancel(stranger, "nothing"))).toBe(notFound);
  expect(await outcomeOf(it.resend(stranger, "nothing"))).toBe(notFound);
  expect(await it.statusOf(id)).toBe("pending");
});

test("a resent invitation keeps its id, lasts anew and is mailed again", async () => {
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now });
  const { organizationId, owner: by, admin } = await it.seed();
  const guest = newPerson();
  const { email } = guest.user;
  const { id } = await it.invite({ organizationId, by, email }, {}, deps);
  clock.advance(172_799_999);
  const expiresAt = new Date(clock.now() + 172_800_000);
  expect(await it.resend(admin, id, deps)).toMatchObject({ reply: { id, expiresAt } });
  expect(await it.mailsTo(email)).toMatchObject([
    { invitationId: id, inviterEmail: by.user.email },
    { invitationId: id, inviterEmail: admin.user.email, expiresAt: expiresAt.toISOString() },
  ]);
  clock.advance(1);
  expect(await outcomeOf(it.accept(guest, id, deps))).toBe("done");
});

/** Attack: a stranger's mailbox filled by one invitation that is sent again and again. */
test("an invitation is mailed once in a minute, however often it is sent again, and by however many at once", async () => {
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now });
  const { organizationId, owner, admin } = await it.seed();
  const { email } = newPerson().user;
  const { id } = await it.invite({ organizationId, by: owner, email }, {}, deps);
  for (let mails = 1; mails <= 2; mails += 1) {
    clock.advance(59_000);
    await expect(it.resend(owner, id, deps)).rejects.toMatchObject({
      code: "TOO_MANY_REQUESTS",
      status: 429,
      retryAfterSeconds: 1,
    });
    expect(await it.mailsTo(email)).toHaveLength(mails);
    clock.advance(1_000);
    const trials = Array.from({ length: count }, (_, index) =>
      it.resend(index % 2 ? owner : admin, id, deps),
    );
    expect(await tally(trials)).toEqual({ done: 1, TOO_MANY_REQUESTS: count - 1 });
    expect(await it.mailsTo(email)).toHaveLength(mails + 1);
  }
  await expect(it.resend(owner, id, deps)).rejects.toMatchObject({ retryAfterSeconds: 60 });
});

test("an invitation that is over, or was decided, is not resent", async () => {
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now });
  const { organizationId, owner } = await it.seed();
  const guests = [newPerson(), newPerson(), newPerson(), newPerson()] as const;
  const [accepted, rejected, canceled, expired] = await Promise.all(
    guests.map(({ user: { email } }) => it.invite({ organizationId, by: owner, email }, {}, deps)),
  );
  await it.accept(guests[0], accepted!.id, deps);
  await it.reject(guests[1], rejected!.id, deps);
  await it.cancel(owner, canceled!.id, deps);
  for (const { id } of [accepted!, rejected!, canceled!])
    expect(await outcomeOf(it.resend(owner, id, deps))).toBe(notFound);
  clock.advance(172_800_000);
  expect(await outcomeOf(it.resend(owner, expired!.id, deps))).toBe(notFound);
});

/** Attack: an admin resends what an owner has sent, with a copy of the link to themself. */
test("an invitation to be an owner is resent by owners only", async () => {
  const { invitation, admin, owner } = await seedInvited({ role: "member,owner" });
  expect(await outcomeOf(it.resend(admin, invitation.id))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
  );
  expect(await outcomeOf(it.resend(owner, invitation.id, aMinuteOn))).toBe("done");
});

test("an invitation resent and withdrawn at once is never pending afterwards", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { invitation, owner, admin } = await seedInvited();
    await Promise.all([
      outcomeOf(it.resend(owner, invitation.id, aMinuteOn)),
      outcomeOf(it.cancel(admin, invitation.id)),
    ]);
    expect(await it.statusOf(invitation.id)).toBe("canceled");
  }
});

test("an invitation is shown to who was invited, while it is pending and who sent it is a member", async () => {
  const tree = { organization: { requireEmailVerificationOnInvitation: true } };
  const strict = it.depsWith({ tree });
  const { guest, invitation, admin, owner } = await seedInvited();
  const { id } = invitation;
  expect(await outcomeOf(get(guest, "nothing"))).toBe("OFFERED_INVITATION_NOT_FOUND");
  expect(await outcomeOf(get(admin, id))).toBe("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
  const user = { ...guest.user, emailVerified: false };
  const unproven = { ...guest, user, session: { ...guest.session, user } };
  expect(await outcomeOf(get(unproven, id, strict))).toBe(
    "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION",
  );
  await it.db.deleteFrom("member").where("userId", "=", owner.user.id).execute();
  expect(await outcomeOf(get(guest, id))).toBe("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  expect(await outcomeOf(it.accept(guest, id))).toBe("done");
  expect(await outcomeOf(get(guest, id))).toBe("OFFERED_INVITATION_NOT_FOUND");
});

test("members see the invitations of their organization, whatever became of them, oldest first", async () => {
  const { organizationId, owner: by, member } = await it.seed();
  expect(await list(member, organizationId)).toEqual([]);
  const emails = ["one@example.com", "two@example.com", "three@example.com"];
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now });
  for (const email of emails) {
    clock.advance(1);
    await it.invite({ organizationId, by, email }, {}, deps);
  }
  const shown = await list(member, organizationId);
  expect(shown.map(({ email }) => email)).toEqual(emails);
  expect(Object.keys(shown[0] ?? {}).toSorted()).toEqual(
    ["email", "expiresAt", "id", "inviterId", "organizationId", "role", "status"].toSorted(),
  );
  await it.cancel(by, shown[1]!.id);
  const statuses = (await list(member, organizationId)).map(({ status }) => status);
  expect(statuses).toEqual(["pending", "canceled", "pending"]);
});

test("the invitations of an organization are shown to its members only", async () => {
  const { organizationId } = await seedInvited();
  const stranger = newPerson();
  const outcome = "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION";
  expect(await outcomeOf(list(stranger, organizationId))).toBe(outcome);
  expect(await outcomeOf(list(stranger, "nothing"))).toBe(outcome);
  expect(await outcomeOf(list(stranger))).toBe("ORGANIZATION_ID_IS_REQUIRED");
  expect(await outcomeOf(list(newPerson({ activeOrganizationId: organizationId })))).toBe(outcome);
});

test("of more than a hundred invitations the newest are listed", async () => {
  const { organizationId, owner } = await it.seed();
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
  await it.db.insertInto("invitation").values(rows).execute();
  const newest = rows.slice(30).map(({ id }) => id);
  expect((await list(owner, organizationId)).map(({ id }) => id)).toEqual(newest);
  const ada = newPerson({ email: "ada@many.example" });
  expect((await listOwn(ada)).map(({ id }) => id)).toEqual(newest);
});

test("somebody sees their pending invitations, with the names of the organizations", async () => {
  const tree = { organization: { requireEmailVerificationOnInvitation: true } };
  const strict = it.depsWith({ tree });
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now });
  const guest = newPerson({ emailVerified: false });
  const { email } = guest.user;
  const [one, other] = [await it.seed(), await it.seed()];
  const first = await it.invite({ ...one, by: one.owner, email }, {}, deps);
  clock.advance(1);
  const second = await it.invite({ ...other, by: other.owner, email }, {}, deps);
  await it.invite({ ...one, by: one.owner, email: "else@example.com" }, {}, deps);
  const own = await listOwn(guest, deps);
  expect(own).toMatchObject(
    [one, other].map(({ organization }, index) => ({
      id: [first, second][index]?.id,
      organizationName: organization.name,
      organizationSlug: organization.slug,
    })),
  );
  await it.reject(guest, first.id, deps);
  expect(await listOwn(guest, deps)).toMatchObject([{ id: second.id }]);
  clock.advance(172_800_000);
  expect(await listOwn(guest, deps)).toEqual([]);
  expect(await outcomeOf(listOwn(guest, strict))).toBe(
    "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION",
  );
});
