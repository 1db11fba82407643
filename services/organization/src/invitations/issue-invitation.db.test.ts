import { createTestClock, expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { sweepIssuedInvitations } from "./issue-invitation.ts";
import { openInvitations } from "./test-invitations.fixture.ts";

expectNoLeaks("file");

const count = 16;
const times = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const newEmail = () => `${newTextId().toLowerCase()}@example.com`;
const alreadyInvited = "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION";

const fixture = await openInvitations();

test("writes a pending invitation with its sender and expiry, and mails its link", async () => {
  const clock = createTestClock();
  const acceptInvitationURL = "{origin}/join/{id}?to={email}";
  const tree = { organization: { invitationExpiresIn: 60, acceptInvitationURL } };
  const deps = fixture.depsWith({ clock: clock.now, tree });
  const { organizationId, owner: by, organization } = await fixture.seed();
  const email = newEmail();
  const invitation = await fixture.invite({ organizationId, by, email }, { role: "admin" }, deps);
  const expiresAt = new Date(clock.now() + 60_000);
  const { id } = invitation;
  const inviterId = by.user.id;
  const expected = {
    organizationId,
    email,
    role: "admin",
    status: "pending",
    expiresAt,
    inviterId,
  };
  expect(invitation).toMatchObject(expected);
  expect(await fixture.mailsTo(email)).toEqual([
    {
      invitationId: id,
      inviterId,
      email,
      organizationName: organization.name,
      inviterName: by.user.name,
      inviterEmail: by.user.email,
      url: `http://localhost/join/${fixture.mailedId(invitation)}?to=${encodeURIComponent(email)}`,
      expiresAt: expiresAt.toISOString(),
    },
  ]);
  expect(await fixture.actionsOf(organizationId)).toEqual(["invitation.created"]);
});

test("sends no mail if the application sends its own", async () => {
  const deps = fixture.depsWith({ tree: { organization: { sendInvitationMail: false } } });
  const { organizationId, owner: by } = await fixture.seed();
  const email = newEmail();
  await fixture.invite({ organizationId, by, email }, {}, deps);
  expect(await fixture.mailsTo(email)).toEqual([]);
});

test("turns sixteen concurrent invitations of one address into one invitation and one mail", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { organizationId, owner, admin } = await fixture.seed();
    const email = newEmail();
    const trials = times((i) =>
      fixture.invite({ organizationId, by: i % 2 ? owner : admin, email }),
    );
    expect(await tally(trials)).toEqual({ done: 1, [alreadyInvited]: count - 1 });
    expect(await fixture.invitationsOf(organizationId)).toHaveLength(1);
    expect(await fixture.mailsTo(email)).toHaveLength(1);
  }
});

test("keeps pending invitations within the limit under concurrency", async () => {
  const deps = fixture.depsWith({ tree: { organization: { invitationLimit: 5 } } });
  const { organizationId, owner: by } = await fixture.seed();
  const trials = times(() => fixture.invite({ organizationId, by, email: newEmail() }, {}, deps));
  expect(await tally(trials)).toEqual({ done: 5, INVITATION_LIMIT_REACHED: count - 5 });
  expect(await fixture.invitationsOf(organizationId)).toHaveLength(5);
});

test.each([0, 1, 120])("enforces a limit of %i pending invitations exactly", async (limit) => {
  const deps = fixture.depsWith({ tree: { organization: { invitationLimit: limit } } });
  const { organizationId, owner: by } = await fixture.seed();
  for (let index = 0; index < limit; index += 1)
    await fixture.invite({ organizationId, by, email: newEmail() }, {}, deps);
  const oneMore = fixture.invite({ organizationId, by, email: newEmail() }, {}, deps);
  expect(await outcomeOf(oneMore)).toBe("INVITATION_LIMIT_REACHED");
  expect(await fixture.invitationsOf(organizationId)).toHaveLength(limit);
});

test("does not count expired invitations or those of other organizations", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({
    clock: clock.now,
    tree: { organization: { invitationLimit: 1 } },
  });
  const [one, other] = [await fixture.seed(), await fixture.seed()];
  const ofOne = { organizationId: one.organizationId, by: one.owner };
  const ofOther = { organizationId: other.organizationId, by: other.owner };
  await fixture.invite({ ...ofOther, email: newEmail() }, {}, deps);
  const email = newEmail();
  const { id } = await fixture.invite({ ...ofOne, email }, {}, deps);
  await fixture.cancel(one.owner, id, deps);
  await fixture.invite({ ...ofOne, email }, {}, deps);
  clock.advance(172_800_000);
  await fixture.invite({ ...ofOne, email }, {}, deps);
  expect(await fixture.invitationsOf(one.organizationId)).toHaveLength(3);
});

test("applies a limit that is a function of the inviter, the role and the organization", async () => {
  const calls: unknown[] = [];
  const invitationLimit = (...about: unknown[]) => {
    calls.push(...about);
    return 0;
  };
  const deps = fixture.depsWith({ tree: { organization: { invitationLimit } } });
  const { organizationId, owner: by, organization } = await fixture.seed();
  const trial = fixture.invite({ organizationId, by, email: newEmail() }, {}, deps);
  expect(await outcomeOf(trial)).toBe("INVITATION_LIMIT_REACHED");
  expect(calls).toMatchObject([
    { user: { id: by.user.id }, organization, member: { userId: by.user.id, role: "owner" } },
    { baseURL: by.caller.baseUrl, address: by.caller.address },
  ]);
});

test("invites an address again only on request, with a new row", async () => {
  const { organizationId, owner: by } = await fixture.seed();
  const email = newEmail();
  await fixture.invite({ organizationId, by, email });
  expect(await outcomeOf(fixture.invite({ organizationId, by, email }))).toBe(alreadyInvited);
  await fixture.invite({ organizationId, by, email }, { resend: true });
  const rows = await fixture.invitationsOf(organizationId);
  expect(rows.map(({ status }) => status)).toEqual(["pending", "pending"]);
});

test("cancels all earlier invitations to the address if the options say so, even at the limit", async () => {
  const tree = { cancelPendingInvitationsOnReInvite: true, invitationLimit: 2 };
  const deps = fixture.depsWith({ tree: { organization: tree } });
  const { organizationId, owner: by, admin } = await fixture.seed();
  const email = newEmail();
  await fixture.invite({ organizationId, by, email });
  await fixture.invite({ organizationId, by, email }, { resend: true });
  const last = await fixture.invite({ organizationId, by, email }, { resend: true }, deps);
  const rows = await fixture.invitationsOf(organizationId);
  expect(rows.map(({ status }) => status)).toEqual(["canceled", "canceled", "pending"]);
  expect(rows.at(-1)?.id).toBe(last.id);
  const trials = times((i) =>
    fixture.invite({ organizationId, by: i % 2 ? by : admin, email }, { resend: true }, deps),
  );
  expect(await tally(trials)).toEqual({ done: 7, INVITATION_LIMIT_REACHED: count - 7 });
  const pending = (await fixture.invitationsOf(organizationId)).filter(
    ({ status }) => status === "pending",
  );
  expect(pending).toHaveLength(1);
});

/** Attack: organizations that are created and deleted for the purpose flood a stranger's mailbox. */
test("limits a user to five invitations of one address per hour across all organizations, also deleted ones", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const by = newPerson();
  const email = newEmail();
  const invite = async () => {
    const { organization } = await seedOrganization(fixture.db, [{ person: by, role: "owner" }]);
    const organizationId = organization.id;
    const { id } = await fixture.invite({ organizationId, by, email }, {}, deps);
    return { id, organizationId };
  };
  const { id } = await invite();
  await fixture.cancel(by, id, deps);
  const { organizationId } = await invite();
  await fixture.db.deleteFrom("organization").where("id", "=", organizationId).execute();
  expect(await tally(times(invite))).toEqual({
    done: 3,
    INVITATION_LIMIT_REACHED: count - 3,
  });
  expect(await fixture.mailsTo(email)).toHaveLength(5);
  const another = await fixture.seed();
  await fixture.invite({ ...another, by: another.owner, email }, {}, deps);
  clock.advance(3_599_999);
  await sweepIssuedInvitations(deps);
  expect(await outcomeOf(invite())).toBe("INVITATION_LIMIT_REACHED");
  clock.advance(1);
  expect(await outcomeOf(invite())).toBe("done");
  await sweepIssuedInvitations(deps);
  expect(await tally(times(invite))).toEqual({
    done: 4,
    INVITATION_LIMIT_REACHED: count - 4,
  });
});

test("applies the configured limit of invitations per address", async () => {
  const deps = fixture.depsWith({ tree: { organization: { invitationsPerAddressAndHour: 2 } } });
  const { owner: by, organizationId } = await fixture.seed();
  const email = newEmail();
  const invite = () => fixture.invite({ organizationId, by, email }, { resend: true }, deps);
  expect(await tally(times(invite))).toEqual({ done: 2, INVITATION_LIMIT_REACHED: count - 2 });
});

test("refuses to invite a member by any address", async () => {
  const { organizationId, owner: by, member } = await fixture.seed();
  const userIds = [member.user.id];
  const trial = fixture.invite({ organizationId, by, email: newEmail() }, { userIds });
  expect(await outcomeOf(trial)).toBe("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
  const other = await fixture.seed();
  await fixture.invite(
    { organizationId: other.organizationId, by: other.owner, email: member.user.email },
    { userIds },
  );
  expect(await fixture.invitationsOf(organizationId)).toEqual([]);
});

/** Attack: an admin makes an accomplice an owner, and so themself. */
test.each([
  ["owner", "owner", "done"],
  ["owner", "member,owner", "done"],
  ["admin", "admin", "done"],
  ["admin", "owner", "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE"],
  ["admin", "member,owner", "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE"],
  ["member", "member", "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"],
] as const)("inviting as an %s to the role %s: %s", async (by, role, outcome) => {
  const seeded = await fixture.seed();
  const { organizationId } = seeded;
  const trial = fixture.invite({ organizationId, by: seeded[by], email: newEmail() }, { role });
  expect(await outcomeOf(trial)).toBe(outcome);
  expect(await fixture.invitationsOf(organizationId)).toHaveLength(outcome === "done" ? 1 : 0);
});

test("lets an owner with several roles invite owners", async () => {
  const by = newPerson();
  const { organization } = await seedOrganization(fixture.db, [
    { person: by, role: "owner,admin" },
  ]);
  const who = { organizationId: organization.id, by, email: newEmail() };
  expect(await outcomeOf(fixture.invite(who, { role: "owner" }))).toBe("done");
});

/** Attack: an invitation is in flight while its sender is removed. */
test("invites nobody if the sender is removed while the invitation is prepared", async () => {
  const { organizationId, admin } = await fixture.seed();
  const invitationLimit = async () => {
    const own = fixture.db.deleteFrom("member").where("organizationId", "=", organizationId);
    await own.where("userId", "=", admin.user.id).execute();
    return 100;
  };
  const deps = fixture.depsWith({ tree: { organization: { invitationLimit } } });
  const trial = fixture.invite({ organizationId, by: admin, email: newEmail() }, {}, deps);
  expect(await outcomeOf(trial)).toBe("MEMBER_NOT_FOUND");
  expect(await fixture.invitationsOf(organizationId)).toEqual([]);
});

test("rejects a team of another organization, with and without a team limit", async () => {
  const { organizationId, owner: by } = await fixture.seed();
  const strange = await fixture.insertTeam((await fixture.seed()).organizationId);
  for (const teams of [{ enabled: true }, { enabled: true, maximumMembersPerTeam: 5 }]) {
    const deps = fixture.depsWith({ tree: { organization: { teams } } });
    for (const teamId of [strange, "nothing"]) {
      const trial = fixture.invite(
        { organizationId, by, email: newEmail() },
        { teamIds: [teamId] },
        deps,
      );
      expect(await outcomeOf(trial)).toBe("TEAM_NOT_FOUND");
    }
  }
  expect(await fixture.invitationsOf(organizationId)).toEqual([]);
});

test("refuses to invite to a full team", async () => {
  const teams = { enabled: true, maximumMembersPerTeam: 1 };
  const deps = fixture.depsWith({ tree: { organization: { teams } } });
  const { organizationId, owner: by, member } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  const email = newEmail();
  await fixture.invite({ organizationId, by, email }, { teamIds: [teamId] }, deps);
  await fixture.db
    .updateTable("member")
    .set({ teamId })
    .where("userId", "=", member.user.id)
    .execute();
  const trial = fixture.invite(
    { organizationId, by, email: newEmail() },
    { teamIds: [teamId] },
    deps,
  );
  expect(await outcomeOf(trial)).toBe("TEAM_MEMBER_LIMIT_REACHED");
  expect(await fixture.invitationsOf(organizationId)).toMatchObject([{ email, teamId }]);
});
