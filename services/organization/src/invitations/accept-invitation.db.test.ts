import { createSecretRing } from "@latchkey/crypto";
import {
  createTestClock,
  expectNoLeaks,
  newPerson,
  type Person,
  testSecret,
} from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-organization.fixture.ts";
import { forgetUser } from "../organizations/forget-user.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { deleteOrganization } from "../organizations/operations.ts";
import { callBy } from "../organizations/test-organizations.fixture.ts";
import { listInvitations } from "./operations.ts";
import { openInvitations, type OpenedInvitations } from "./test-invitations.fixture.ts";
import { showMailedInvitation } from "./invitation-ids.ts";
import { countTeamPlaces, listTeamIds } from "../rows/team-members.ts";
import { deleteTeam } from "../rows/teams.ts";
import { findMembership } from "../rows/members.ts";

expectNoLeaks("file");

const count = 16;
const times = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const withTeams = { organization: { teams: { enabled: true } } };

const fixture = await openInvitations();

/** Creates an organization with an invited user. */
const seedInvited = async (given: Parameters<OpenedInvitations["invite"]>[1] = {}) => {
  const seeded = await fixture.seed();
  const guest = newPerson();
  const { organizationId, owner: by } = seeded;
  const invitation = await fixture.invite({ organizationId, by, email: guest.user.email }, given);
  return { ...seeded, guest, invitation };
};

test("makes the recipient a member with the invited roles", async () => {
  const { guest, invitation, organizationId } = await seedInvited({ role: "admin,member" });
  const answer = await fixture.accept(guest, invitation.id);
  expect(answer).toMatchObject({
    reply: {
      invitation: { id: fixture.mailedId(invitation), status: "accepted" },
      member: { organizationId, userId: guest.user.id, role: "admin,member" },
    },
  });
  expect(await fixture.membersOf(organizationId)).toContainEqual({
    userId: guest.user.id,
    role: "admin,member",
    teamId: null,
  });
  expect(await fixture.actionsOf(organizationId)).toEqual([
    "invitation.created",
    "member.added",
    "invitation.accepted",
  ]);
});

test("accepts an invitation once for sixteen concurrent requests", async () => {
  const { guest, invitation, organizationId } = await seedInvited();
  expect(await tally(times(() => fixture.accept(guest, invitation.id)))).toEqual({
    done: 1,
    INVITATION_NOT_FOUND: count - 1,
  });
  expect(await fixture.membersOf(organizationId)).toHaveLength(4);
  expect(await fixture.statusOf(invitation.id)).toBe("accepted");
});

test("makes one member and leaves one pending when a user accepts two invitations at once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { guest, invitation, organizationId, owner: by } = await seedInvited();
    const email = guest.user.email;
    const second = await fixture.invite({ organizationId, by, email }, { resend: true });
    const ids = [invitation.id, second.id];
    expect(await tally(ids.map((id) => fixture.accept(guest, id)))).toEqual({
      done: 1,
      USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 1,
    });
    expect(await fixture.membersOf(organizationId)).toHaveLength(4);
    const statuses = await Promise.all(ids.map((id) => fixture.statusOf(id)));
    expect(statuses.toSorted()).toEqual(["accepted", "pending"]);
  }
});

test("admits no more of sixteen concurrent recipients than the limit, and leaves the other invitations pending", async () => {
  const deps = fixture.depsWith({ tree: { organization: { membershipLimit: 6 } } });
  const { organizationId, owner: by } = await fixture.seed(); // three members
  const guests = times(() => newPerson());
  const invitations = await Promise.all(
    guests.map(({ user: { email } }) => fixture.invite({ organizationId, by, email })),
  );
  const trials = invitations.map(({ id }, index) => fixture.accept(guests[index]!, id, deps));
  expect(await tally(trials)).toEqual({
    done: 3,
    ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: count - 3,
  });
  expect(await fixture.membersOf(organizationId)).toHaveLength(6);
  const statuses = (await fixture.invitationsOf(organizationId)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([
    ...Array<string>(3).fill("accepted"),
    ...Array<string>(count - 3).fill("pending"),
  ]);
});

test("makes a member of a concurrently accepted, rejected and canceled invitation only if it was accepted", async () => {
  for (let round = 0; round < 20; round += 1) {
    const { guest, invitation, organizationId, owner } = await seedInvited();
    const [accepted, rejected, canceled] = await Promise.all([
      outcomeOf(fixture.accept(guest, invitation.id)),
      outcomeOf(fixture.reject(guest, invitation.id)),
      outcomeOf(fixture.cancel(owner, invitation.id)),
    ]);
    const members = await fixture.membersOf(organizationId);
    const isMember = members.some(({ userId }) => userId === guest.user.id);
    expect(isMember).toBe(accepted === "done");
    expect([accepted, rejected].filter((outcome) => outcome === "done").length).toBeLessThan(2);
    expect(canceled).toBe("done");
    expect(await fixture.statusOf(invitation.id)).toBe("canceled");
  }
});

test("expires an invitation at its expiry time", async () => {
  const clock = createTestClock();
  const deps = fixture.depsWith({ clock: clock.now });
  const { organizationId, owner: by } = await fixture.seed();
  const guest = newPerson();
  const { email } = guest.user;
  const { id } = await fixture.invite({ organizationId, by, email }, {}, deps);
  clock.advance(172_800_000);
  expect(await outcomeOf(fixture.accept(guest, id, deps))).toBe("INVITATION_NOT_FOUND");
  expect(await outcomeOf(fixture.reject(guest, id, deps))).toBe("OFFERED_INVITATION_NOT_FOUND");
  expect(await fixture.statusOf(id)).toBe("pending");
  clock.advance(-1);
  expect(await outcomeOf(fixture.accept(guest, id, deps))).toBe("done");
});

/** Attack: an attacker who learns the id of an invitation takes the recipient's place. */
test("lets only the recipient accept or reject, whatever the case of the address", async () => {
  const { guest, invitation, admin, organizationId } = await seedInvited();
  for (const stranger of [newPerson(), admin]) {
    const refused = "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION";
    expect(await outcomeOf(fixture.accept(stranger, invitation.id))).toBe(refused);
    expect(await outcomeOf(fixture.reject(stranger, invitation.id))).toBe(refused);
  }
  expect(await fixture.membersOf(organizationId)).toHaveLength(3);
  const user = { ...guest.user, email: guest.user.email.toUpperCase() };
  const loud = { ...guest, user, session: { ...guest.session, user } };
  expect(await outcomeOf(fixture.accept(loud, invitation.id))).toBe("done");
});

test("rejects an unknown invitation", async () => {
  const guest = newPerson();
  expect(await outcomeOf(fixture.accept(guest, "nothing"))).toBe("INVITATION_NOT_FOUND");
  expect(await outcomeOf(fixture.reject(guest, "nothing"))).toBe("OFFERED_INVITATION_NOT_FOUND");
});

/** Attack: an attacker signs up with the recipient's address. */
test("requires a verified address to accept or reject if the options say so", async () => {
  const tree = { organization: { requireEmailVerificationOnInvitation: true } };
  const deps = fixture.depsWith({ tree });
  const { organizationId, owner: by } = await fixture.seed();
  const guest = newPerson({ emailVerified: false });
  const id = fixture.mailedId(
    await fixture.invite({ organizationId, by, email: guest.user.email }),
  );
  const refused = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";
  expect(await outcomeOf(fixture.accept(guest, id, deps))).toBe(refused);
  expect(await outcomeOf(fixture.reject(guest, id, deps))).toBe(refused);
  expect(await outcomeOf(fixture.accept(guest, id))).toBe("done");
});

test("leaves an invitation to a full team pending, also for sixteen concurrent recipients", async () => {
  const tree = { organization: { teams: { enabled: true, maximumMembersPerTeam: 2 } } };
  const deps = fixture.depsWith({ tree });
  const { organizationId, owner: by } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  const guests = times(() => newPerson());
  const invitations = await Promise.all(
    guests.map(({ user: { email } }) =>
      fixture.invite({ organizationId, by, email }, { teamIds: [teamId] }, deps),
    ),
  );
  const trials = invitations.map(({ id }, index) => fixture.accept(guests[index]!, id, deps));
  expect(await tally(trials)).toEqual({ done: 2, TEAM_MEMBER_LIMIT_REACHED: count - 2 });
  const members = await fixture.membersOf(organizationId);
  expect(members.filter((member) => member.teamId === teamId)).toHaveLength(2);
  expect(members).toHaveLength(5);
  const pending = (await fixture.invitationsOf(organizationId)).filter(
    ({ status }) => status === "pending",
  );
  expect(pending).toHaveLength(count - 2);
});

test("a recipient joins all teams of an invitation, the first one first, without those deleted since", async () => {
  const deps = fixture.depsWith({ tree: withTeams });
  const { organizationId, owner: by } = await fixture.seed();
  const teamIds = [
    await fixture.insertTeam(organizationId),
    await fixture.insertTeam(organizationId),
    await fixture.insertTeam(organizationId),
    await fixture.insertTeam(organizationId),
  ];
  const [first, gone, third, fourth] = teamIds as [string, string, string, string];
  const guest = newPerson();
  const invitation = await fixture.invite(
    { organizationId, by, email: guest.user.email },
    { teamIds },
    deps,
  );
  expect(showMailedInvitation(deps, invitation).teamId).toBe(teamIds.join(","));
  await fixture.db.transaction().execute((trx) => deleteTeam(trx, { id: gone, organizationId }));
  const answer = await fixture.accept(guest, invitation.id, deps);
  expect(answer).toMatchObject({
    reply: { invitation: { teamId: `${first},${third},${fourth}` }, member: { teamId: first } },
  });
  const member = await findMembership(fixture.db, { organizationId, userId: guest.user.id });
  const joined = await listTeamIds(fixture.db, [member?.id ?? ""]);
  expect(joined.get(member?.id ?? "")).toEqual([first, third, fourth]);
});

test("fills several teams to their limits, and makes nobody a member of one only", async () => {
  const tree = { organization: { teams: { enabled: true, maximumMembersPerTeam: 5 } } };
  const deps = fixture.depsWith({ tree });
  const { organizationId, owner: by } = await fixture.seed();
  const teamIds = [
    await fixture.insertTeam(organizationId),
    await fixture.insertTeam(organizationId),
  ];
  const guests = times(() => newPerson());
  const invitations = await Promise.all(
    guests.map(({ user: { email } }, index) =>
      fixture.invite(
        { organizationId, by, email },
        { teamIds: index % 2 === 0 ? teamIds : teamIds.toReversed() },
        deps,
      ),
    ),
  );
  const trials = invitations.map(({ id }, index) => fixture.accept(guests[index]!, id, deps));
  expect(await tally(trials)).toEqual({ done: 5, TEAM_MEMBER_LIMIT_REACHED: count - 5 });
  const places = await countTeamPlaces(fixture.db, { organizationId, teamIds });
  expect(places.map(({ memberCount }) => memberCount)).toEqual([5, 5]);
  expect(await fixture.membersOf(organizationId)).toHaveLength(3 + 5);
});

test("applies a team limit that is a function of the team", async () => {
  const calls: object[] = [];
  const maximumMembersPerTeam = async (about: object) => {
    calls.push(about);
    return calls.length > 1 ? 0 : 1;
  };
  const tree = { organization: { teams: { enabled: true, maximumMembersPerTeam } } };
  const deps = fixture.depsWith({ tree });
  const { organizationId, owner: by } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  const guest = newPerson();
  const { email } = guest.user;
  const { id } = await fixture.invite({ organizationId, by, email }, { teamIds: [teamId] }, deps);
  expect(await outcomeOf(fixture.accept(guest, id, deps))).toBe("TEAM_MEMBER_LIMIT_REACHED");
  expect(calls).toMatchObject([
    { teamId, organizationId, session: { userId: by.user.id } },
    { teamId, organizationId, session: { userId: guest.user.id } },
  ]);
});

test("makes a member without a team if the team was deleted", async () => {
  const deps = fixture.depsWith({ tree: withTeams });
  const { organizationId, owner: by } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  const guest = newPerson();
  const { email } = guest.user;
  const { id } = await fixture.invite({ organizationId, by, email }, { teamIds: [teamId] }, deps);
  await fixture.db.deleteFrom("team").where("id", "=", teamId).execute();
  expect(await fixture.accept(guest, id, deps)).toMatchObject({
    reply: { invitation: { teamId: null }, member: { teamId: null } },
  });
});

test("leaves no orphan member and notifies every member when the organization is deleted during an acceptance", async () => {
  const deps = fixture.depsWith();
  for (let round = 0; round < count; round += 1) {
    const { guest, invitation, organizationId, owner } = await seedInvited();
    const [accepted, deleted] = await Promise.all([
      outcomeOf(fixture.accept(guest, invitation.id)),
      outcomeOf(deleteOrganization(deps, callBy(owner, { body: { organizationId } }))),
    ]);
    expect(deleted).toBe("done");
    expect(["done", "INVITATION_NOT_FOUND", "FAILED_TO_RETRIEVE_INVITATION"]).toContain(accepted);
    const notified = await fixture.toldOfDeletion(organizationId);
    expect(notified.includes(guest.user.id)).toBe(accepted === "done");
    expect(notified).toHaveLength(accepted === "done" ? 4 : 3);
    expect(await fixture.membersOf(organizationId)).toEqual([]);
  }
});

test("refuses a deleted user", async () => {
  const { guest, invitation, organizationId } = await seedInvited();
  const departed = { userId: guest.user.id, departedAt: new Date() };
  await fixture.db.insertInto("departedUser").values(departed).execute();
  expect(await outcomeOf(fixture.accept(guest, invitation.id))).toBe("UNAUTHORIZED");
  expect(await fixture.membersOf(organizationId)).toHaveLength(3);
});

test("leaves no member when a user is deleted during the acceptance", async () => {
  const deps = fixture.depsWith();
  for (let round = 0; round < 30; round += 1) {
    const { guest, invitation, organizationId } = await seedInvited();
    const data = { userId: guest.user.id };
    const occurredAt = new Date().toISOString();
    const event = { id: newTextId(), name: "user.deleted" as const, version: 1, occurredAt, data };
    await Promise.all([outcomeOf(fixture.accept(guest, invitation.id)), forgetUser(deps, event)]);
    expect(await fixture.membersOf(organizationId)).toHaveLength(3);
  }
});

/** Attack: a member or invited user of one organization uses the invitations of another. */
test("refuses an owner or recipient of another organization", async () => {
  const { guest, owner } = await seedInvited();
  const other = await seedInvited();
  const { organizationId } = other;
  const list = (person: Person) =>
    listInvitations(fixture.depsWith(), callBy(person, { query: { organizationId } }));
  for (const person of [guest, owner]) {
    const invite = { organizationId, by: person, email: person.user.email };
    expect(await outcomeOf(fixture.invite(invite, { role: "owner" }))).toBe("MEMBER_NOT_FOUND");
    expect(await outcomeOf(fixture.cancel(person, other.invitation.id))).toBe("MEMBER_NOT_FOUND");
    expect(await outcomeOf(fixture.resend(person, other.invitation.id))).toBe(
      "INVITATION_NOT_FOUND",
    );
    expect(await outcomeOf(list(person))).toBe("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
  }
  expect(await fixture.invitationsOf(organizationId)).toMatchObject([{ status: "pending" }]);
  expect(await fixture.mailsTo(other.guest.user.email)).toHaveLength(1);
});

/** Returns the id in the last mail to an address. */
const mailedId = async (email: string): Promise<string> => {
  const mails = (await fixture.mailsTo(email)) as { url?: string }[];
  return new URL(mails.at(-1)?.url ?? "").pathname.split("/").at(-1) ?? "";
};

const unproven = (person: Person) => {
  const user = { ...person.user, emailVerified: false };
  return { ...person, user, session: { ...person.session, user } };
};
const verificationRequired = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";

/** Attack: an admin reads the id of an owner's invitation, registers its address unproven, and accepts. */
test("admits an unverified address only by the id from its mail", async () => {
  const { guest, invitation, organizationId, admin, member } = await seedInvited({ role: "owner" });
  const squatter = unproven(guest);
  const idsSeenBy = async (person: Person) => {
    const call = callBy<never>(person, { query: { organizationId } });
    const { reply } = (await listInvitations(fixture.depsWith(), call)) as {
      reply: { id: string }[];
    };
    return reply.map(({ id }) => id);
  };
  const [seenByAdmin] = await idsSeenBy(admin);
  expect(seenByAdmin).toBe(invitation.id);
  expect(await outcomeOf(fixture.accept(squatter, invitation.id))).toBe(verificationRequired);
  expect(await outcomeOf(fixture.reject(squatter, invitation.id))).toBe(verificationRequired);

  const [opaque = ""] = await idsSeenBy(member);
  expect(await idsSeenBy(member)).toEqual([opaque]);
  expect([opaque === invitation.id, opaque === (await mailedId(guest.user.email))]).toEqual([
    false,
    false,
  ]);
  for (const act of [fixture.accept, fixture.cancel, fixture.resend])
    expect(await outcomeOf(act(guest, opaque))).toBe("INVITATION_NOT_FOUND");

  const mailed = await mailedId(guest.user.email);
  const forged = mailed.slice(0, -1) + (mailed.endsWith("0") ? "1" : "0");
  const other = await seedInvited();
  const foreign = mailed.slice(0, -32) + (await mailedId(other.guest.user.email)).slice(-32);
  for (const id of [forged, foreign, mailed.slice(0, -1), `${mailed}0`])
    expect(await outcomeOf(fixture.accept(squatter, id))).toBe("INVITATION_NOT_FOUND");
  expect(await outcomeOf(fixture.accept(squatter, mailed))).toBe("done");
});

test("accepts a mailed id signed with an older secret", async () => {
  const { guest } = await seedInvited();
  const mailed = await mailedId(guest.user.email);
  const ring = createSecretRing(["a newer secret for tests only", testSecret]);
  const rotated = Object.assign(fixture.depsWith(), { ring });
  const gone = Object.assign(fixture.depsWith(), {
    ring: createSecretRing(["a newer secret for tests only"]),
  });
  expect(await outcomeOf(fixture.accept(unproven(guest), mailed, gone))).toBe(
    "INVITATION_NOT_FOUND",
  );
  expect(await outcomeOf(fixture.accept(unproven(guest), mailed, rotated))).toBe("done");
});
