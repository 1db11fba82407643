import { createTestClock, expectNoLeaks, newPerson } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { sweepIssuedInvitations } from "./issued/sweep-issued-invitations.ts";
import { openInvitations, type OpenedInvitations } from "./test-invitations.fixture.ts";

expectNoLeaks("file");

const count = 16;
const times = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const newEmail = () => `${newTextId().toLowerCase()}@example.com`;
const alreadyInvited = "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION";

let it: OpenedInvitations;
beforeAll(async () => {
  it = await openInvitations();
});
afterAll(() => it.close());

test("an invitation is pending, names who sent it, ends in time, and is mailed with its link", async () => {
  const clock = createTestClock();
  const acceptInvitationURL = "{origin}/join/{id}?to={email}";
  const tree = { organization: { invitationExpiresIn: 60, acceptInvitationURL } };
  const deps = it.depsWith({ clock: clock.now, tree });
  const { organizationId, owner: by, organization } = await it.seed();
  const email = newEmail();
  const invitation = await it.invite({ organizationId, by, email }, { role: "admin" }, deps);
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
  expect(await it.mailsTo(email)).toEqual([
    {
      invitationId: id,
      email,
      organizationName: organization.name,
      inviterName: by.user.name,
      inviterEmail: by.user.email,
      url: `http://localhost/join/${id}?to=${encodeURIComponent(email)}`,
      expiresAt: expiresAt.toISOString(),
    },
  ]);
  expect(await it.actionsOf(organizationId)).toEqual(["invitation.created"]);
});

test("an application that tells people itself has us mail nobody", async () => {
  const deps = it.depsWith({ tree: { organization: { sendInvitationMail: false } } });
  const { organizationId, owner: by } = await it.seed();
  const email = newEmail();
  await it.invite({ organizationId, by, email }, {}, deps);
  expect(await it.mailsTo(email)).toEqual([]);
});

test("sixteen invitations of one address at once are one invitation and one mail, every time", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { organizationId, owner, admin } = await it.seed();
    const email = newEmail();
    const trials = times((i) => it.invite({ organizationId, by: i % 2 ? owner : admin, email }));
    expect(await tally(trials)).toEqual({ done: 1, [alreadyInvited]: count - 1 });
    expect(await it.invitationsOf(organizationId)).toHaveLength(1);
    expect(await it.mailsTo(email)).toHaveLength(1);
  }
});

test("no more invitations are pending than the limit, however many are sent at once", async () => {
  const deps = it.depsWith({ tree: { organization: { invitationLimit: 5 } } });
  const { organizationId, owner: by } = await it.seed();
  const trials = times(() => it.invite({ organizationId, by, email: newEmail() }, {}, deps));
  expect(await tally(trials)).toEqual({ done: 5, INVITATION_LIMIT_REACHED: count - 5 });
  expect(await it.invitationsOf(organizationId)).toHaveLength(5);
});

test.each([0, 1, 120])(
  "a limit of %i pending invitations is kept to the last one",
  async (limit) => {
    const deps = it.depsWith({ tree: { organization: { invitationLimit: limit } } });
    const { organizationId, owner: by } = await it.seed();
    for (let index = 0; index < limit; index += 1)
      await it.invite({ organizationId, by, email: newEmail() }, {}, deps);
    const oneMore = it.invite({ organizationId, by, email: newEmail() }, {}, deps);
    expect(await outcomeOf(oneMore)).toBe("INVITATION_LIMIT_REACHED");
    expect(await it.invitationsOf(organizationId)).toHaveLength(limit);
  },
);

test("invitations of other organizations, and those that are over, take no place", async () => {
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now, tree: { organization: { invitationLimit: 1 } } });
  const [one, other] = [await it.seed(), await it.seed()];
  const ofOne = { organizationId: one.organizationId, by: one.owner };
  const ofOther = { organizationId: other.organizationId, by: other.owner };
  await it.invite({ ...ofOther, email: newEmail() }, {}, deps);
  const email = newEmail();
  const { id } = await it.invite({ ...ofOne, email }, {}, deps);
  await it.cancel(one.owner, id, deps);
  await it.invite({ ...ofOne, email }, {}, deps);
  clock.advance(172_800_000);
  await it.invite({ ...ofOne, email }, {}, deps);
  expect(await it.invitationsOf(one.organizationId)).toHaveLength(3);
});

test("the limit may be a function of who invites, as what, to which organization", async () => {
  const asked: unknown[] = [];
  const invitationLimit = (...about: unknown[]) => {
    asked.push(...about);
    return 0;
  };
  const deps = it.depsWith({ tree: { organization: { invitationLimit } } });
  const { organizationId, owner: by, organization } = await it.seed();
  const trial = it.invite({ organizationId, by, email: newEmail() }, {}, deps);
  expect(await outcomeOf(trial)).toBe("INVITATION_LIMIT_REACHED");
  expect(asked).toMatchObject([
    { user: { id: by.user.id }, organization, member: { userId: by.user.id, role: "owner" } },
    { baseURL: by.caller.baseUrl, address: by.caller.address },
  ]);
});

test("an address is invited again only when that is asked for, and then with a row of its own", async () => {
  const { organizationId, owner: by } = await it.seed();
  const email = newEmail();
  await it.invite({ organizationId, by, email });
  expect(await outcomeOf(it.invite({ organizationId, by, email }))).toBe(alreadyInvited);
  await it.invite({ organizationId, by, email }, { resend: true });
  const rows = await it.invitationsOf(organizationId);
  expect(rows.map(({ status }) => status)).toEqual(["pending", "pending"]);
});

test("where the options say so, inviting again withdraws all that was sent before, even at the limit", async () => {
  const tree = { cancelPendingInvitationsOnReInvite: true, invitationLimit: 2 };
  const deps = it.depsWith({ tree: { organization: tree } });
  const { organizationId, owner: by, admin } = await it.seed();
  const email = newEmail();
  await it.invite({ organizationId, by, email });
  await it.invite({ organizationId, by, email }, { resend: true });
  const last = await it.invite({ organizationId, by, email }, { resend: true }, deps);
  const rows = await it.invitationsOf(organizationId);
  expect(rows.map(({ status }) => status)).toEqual(["canceled", "canceled", "pending"]);
  expect(rows.at(-1)?.id).toBe(last.id);
  const trials = times((i) =>
    it.invite({ organizationId, by: i % 2 ? by : admin, email }, { resend: true }, deps),
  );
  expect(await tally(trials)).toEqual({ done: 7, INVITATION_LIMIT_REACHED: count - 7 });
  const pending = (await it.invitationsOf(organizationId)).filter(
    ({ status }) => status === "pending",
  );
  expect(pending).toHaveLength(1);
});

/** Attack: a stranger's mailbox filled by organizations that are founded for it, and deleted again. */
test("somebody invites one address five times in an hour, by however many organizations, whatever became of them", async () => {
  const clock = createTestClock();
  const deps = it.depsWith({ clock: clock.now });
  const by = newPerson();
  const email = newEmail();
  const invite = async () => {
    const { organization } = await seedOrganization(it.db, [{ person: by, role: "owner" }]);
    const organizationId = organization.id;
    const { id } = await it.invite({ organizationId, by, email }, {}, deps);
    return { id, organizationId };
  };
  const { id } = await invite();
  await it.cancel(by, id, deps);
  const { organizationId } = await invite();
  await it.db.deleteFrom("organization").where("id", "=", organizationId).execute();
  expect(await tally(times(invite))).toEqual({
    done: 3,
    INVITATION_LIMIT_REACHED: count - 3,
  });
  expect(await it.mailsTo(email)).toHaveLength(5);
  const another = await it.seed();
  await it.invite({ ...another, by: another.owner, email }, {}, deps);
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

test("a member is not invited, by whatever address", async () => {
  const { organizationId, owner: by, member } = await it.seed();
  const userIds = [member.user.id];
  const trial = it.invite({ organizationId, by, email: newEmail() }, { userIds });
  expect(await outcomeOf(trial)).toBe("USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
  const other = await it.seed();
  await it.invite(
    { organizationId: other.organizationId, by: other.owner, email: member.user.email },
    { userIds },
  );
  expect(await it.invitationsOf(organizationId)).toEqual([]);
});

/** Attack: an admin makes an owner of a friend, and so of themself. */
test.each([
  ["owner", "owner", "done"],
  ["owner", "member,owner", "done"],
  ["admin", "admin", "done"],
  ["admin", "owner", "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE"],
  ["admin", "member,owner", "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE"],
  ["member", "member", "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION"],
] as const)("where an %s invites somebody as %s, that is: %s", async (by, role, outcome) => {
  const seeded = await it.seed();
  const { organizationId } = seeded;
  const trial = it.invite({ organizationId, by: seeded[by], email: newEmail() }, { role });
  expect(await outcomeOf(trial)).toBe(outcome);
  expect(await it.invitationsOf(organizationId)).toHaveLength(outcome === "done" ? 1 : 0);
});

test("an owner among several roles may invite owners", async () => {
  const by = newPerson();
  const { organization } = await seedOrganization(it.db, [{ person: by, role: "owner,admin" }]);
  const who = { organizationId: organization.id, by, email: newEmail() };
  expect(await outcomeOf(it.invite(who, { role: "owner" }))).toBe("done");
});

/** Attack: an invitation on its way while its sender is thrown out. */
test("who loses their place while an invitation is prepared invites nobody", async () => {
  const { organizationId, admin } = await it.seed();
  const invitationLimit = async () => {
    const own = it.db.deleteFrom("member").where("organizationId", "=", organizationId);
    await own.where("userId", "=", admin.user.id).execute();
    return 100;
  };
  const deps = it.depsWith({ tree: { organization: { invitationLimit } } });
  const trial = it.invite({ organizationId, by: admin, email: newEmail() }, {}, deps);
  expect(await outcomeOf(trial)).toBe("MEMBER_NOT_FOUND");
  expect(await it.invitationsOf(organizationId)).toEqual([]);
});

test("a team of another organization is none, whether or not teams have a limit", async () => {
  const { organizationId, owner: by } = await it.seed();
  const strange = await it.insertTeam((await it.seed()).organizationId);
  for (const teams of [{ enabled: true }, { enabled: true, maximumMembersPerTeam: 5 }]) {
    const deps = it.depsWith({ tree: { organization: { teams } } });
    for (const teamId of [strange, "nothing"]) {
      const trial = it.invite({ organizationId, by, email: newEmail() }, { teamId }, deps);
      expect(await outcomeOf(trial)).toBe("TEAM_NOT_FOUND");
    }
  }
  expect(await it.invitationsOf(organizationId)).toEqual([]);
});

test("nobody is invited to a team that is full", async () => {
  const teams = { enabled: true, maximumMembersPerTeam: 1 };
  const deps = it.depsWith({ tree: { organization: { teams } } });
  const { organizationId, owner: by, member } = await it.seed();
  const teamId = await it.insertTeam(organizationId);
  const email = newEmail();
  await it.invite({ organizationId, by, email }, { teamId }, deps);
  await it.db.updateTable("member").set({ teamId }).where("userId", "=", member.user.id).execute();
  const trial = it.invite({ organizationId, by, email: newEmail() }, { teamId }, deps);
  expect(await outcomeOf(trial)).toBe("TEAM_MEMBER_LIMIT_REACHED");
  expect(await it.invitationsOf(organizationId)).toMatchObject([{ email, teamId }]);
});
