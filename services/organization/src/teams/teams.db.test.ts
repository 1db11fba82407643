import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { createTestClock, expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-organization.fixture.ts";
import { openInvitations } from "../invitations/test-invitations.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { createTeam, listTeams, removeTeam, updateTeam } from "./operations.ts";
import { insertTeam } from "../rows/teams.ts";

expectNoLeaks("file");

type Operations = typeof operations.organization;
const count = 16;
const times = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));

const fixture = await openInvitations();

const depsWith = (teams: object = {}, clock = Date.now) =>
  fixture.depsWith({ tree: { organization: { teams: { enabled: true, ...teams } } }, clock });
const plain = depsWith();

const callOf = <Name extends keyof Operations>(person: Person, input: object) =>
  ({ ...input, ...person }) as unknown as Call<Operations[Name]>;

const create = async (person: Person, organizationId?: string, deps = plain) => {
  const body = { name: "Crew", organizationId };
  const answer = await createTeam(deps, callOf(person, { body }));
  if (!("reply" in answer)) throw new Error("no team");
  return answer.reply;
};
const list = async (person: Person, organizationId?: string) => {
  const answer = await listTeams(plain, callOf(person, { query: { organizationId } }));
  return "reply" in answer ? answer.reply : [];
};
const update = (
  person: Person,
  { teamId, ...data }: { teamId: string; name?: string; organizationId?: string },
  deps = plain,
) => updateTeam(deps, callOf(person, { body: { teamId, data } }));
const remove = (person: Person, body: { teamId: string; organizationId?: string }, deps = plain) =>
  removeTeam(deps, callOf(person, { body }));

test("creates a team, returns it and records it in the audit", async () => {
  const { organizationId, admin, member } = await fixture.seed();
  const team = await create(admin, organizationId);
  expect(team).toMatchObject({ name: "Crew", organizationId });
  expect(team.updatedAt).toEqual(team.createdAt);
  expect(await list(member, organizationId)).toEqual([team]);
  expect(await fixture.actionsOf(organizationId)).toEqual(["team.created"]);
});

test("creates no more teams than the options allow under concurrency", async () => {
  const deps = depsWith({ maximumTeams: 4 });
  const { organizationId, owner, admin } = await fixture.seed();
  const trials = times((i) => create(i % 2 ? owner : admin, organizationId, deps));
  expect(await tally(trials)).toEqual({
    done: 4,
    YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: count - 4,
  });
  expect(await list(owner, organizationId)).toHaveLength(4);
});

test("enforces a limit of more than a hundred teams exactly, and 0 means no limit", async () => {
  const { organizationId, owner } = await fixture.seed();
  const createdAt = new Date();
  const rows = Array.from({ length: 120 }, (_, index) => ({
    id: newTextId(),
    name: `Team ${index}`,
    organizationId,
    createdAt,
    updatedAt: null,
  }));
  await fixture.db.insertInto("team").values(rows).execute();
  const reached = "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS";
  const createAt = (maximumTeams: number) =>
    outcomeOf(create(owner, organizationId, depsWith({ maximumTeams })));
  expect(await createAt(120)).toBe(reached);
  expect(await createAt(121)).toBe("done");
  expect(await createAt(121)).toBe(reached);
  expect(await createAt(0)).toBe("done");
  expect(await list(owner, organizationId)).toHaveLength(100);
});

test("calls a limit that is a function only for callers who may create teams", async () => {
  const calls: unknown[] = [];
  const maximumTeams = async (...about: unknown[]) => {
    calls.push(...about);
    return 1;
  };
  const deps = depsWith({ maximumTeams });
  const { organizationId, owner, member } = await fixture.seed();
  await outcomeOf(create(member, organizationId, deps));
  await outcomeOf(create(newPerson(), organizationId, deps));
  expect(calls).toEqual([]);
  await create(owner, organizationId, deps);
  expect(calls).toMatchObject([
    { organizationId, session: { userId: owner.user.id } },
    { baseURL: owner.caller.baseUrl },
  ]);
  expect(await outcomeOf(create(owner, organizationId, deps))).toBe(
    "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS",
  );
});

test("keeps the last of two teams that are removed at once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { organizationId, owner } = await fixture.seed();
    const teams = [
      await fixture.insertTeam(organizationId),
      await fixture.insertTeam(organizationId),
    ];
    const trials = teams.map((teamId) => remove(owner, { teamId, organizationId }));
    expect(await tally(trials)).toEqual({ done: 1, UNABLE_TO_REMOVE_LAST_TEAM: 1 });
    expect(await list(owner, organizationId)).toHaveLength(1);
  }
});

test("removes all teams if the options allow it, each by one of sixteen requests", async () => {
  const deps = depsWith({ allowRemovingAllTeams: true });
  const { organizationId, owner } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  const trials = times(() => remove(owner, { teamId, organizationId }, deps));
  expect(await tally(trials)).toEqual({ done: 1, TEAM_NOT_FOUND: count - 1 });
  expect(await list(owner, organizationId)).toEqual([]);
  expect(await fixture.actionsOf(organizationId)).toEqual(["team.removed"]);
});

test("keeps the members and invitations of a removed team, without a team", async () => {
  const { organizationId, owner, member } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  await fixture.insertTeam(organizationId);
  const guest = newPerson();
  const { email } = guest.user;
  await fixture.invite({ organizationId, by: owner, email }, { teamIds: [teamId] }, plain);
  await fixture.db
    .updateTable("member")
    .set({ teamId })
    .where("userId", "=", member.user.id)
    .execute();
  await remove(owner, { teamId, organizationId });
  expect((await fixture.membersOf(organizationId)).map((row) => row.teamId)).toEqual([
    null,
    null,
    null,
  ]);
  expect(await fixture.invitationsOf(organizationId)).toMatchObject([{ email, teamId: null }]);
});

test("leaves members without a team if it is removed while invitations to it are accepted", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { organizationId, owner } = await fixture.seed();
    const teamId = await fixture.insertTeam(organizationId);
    await fixture.insertTeam(organizationId);
    const guest = newPerson();
    const who = { organizationId, by: owner, email: guest.user.email };
    const { id } = await fixture.invite(who, { teamIds: [teamId] }, plain);
    const trials = [fixture.accept(guest, id, plain), remove(owner, { teamId, organizationId })];
    expect(await tally(trials)).toEqual({ done: 2 });
    const members = await fixture.membersOf(organizationId);
    expect(members.map((row) => row.teamId)).toEqual([null, null, null, null]);
  }
});

test("renames a team and sets its change time, and changes nothing without input", async () => {
  const clock = createTestClock();
  const deps = depsWith({}, clock.now);
  const { organizationId, admin } = await fixture.seed();
  const team = await create(admin, organizationId, deps);
  clock.advance(1_000);
  expect(await update(admin, { teamId: team.id, organizationId }, deps)).toEqual({ reply: team });
  const renamed = { ...team, name: "Fleet", updatedAt: new Date(clock.now()) };
  expect(await update(admin, { teamId: team.id, organizationId, name: "Fleet" }, deps)).toEqual({
    reply: renamed,
  });
  expect(await list(admin, organizationId)).toEqual([renamed]);
  expect(await fixture.actionsOf(organizationId)).toEqual(["team.created", "team.updated"]);
});

test("prefers the named organization to the session's", async () => {
  const [one, other] = [await fixture.seed(), await fixture.seed()];
  const team = await fixture.insertTeam(one.organizationId);
  const otherTeam = await fixture.insertTeam(other.organizationId);
  const { owner } = one;
  const session = { ...owner.session.session, activeOrganizationId: other.organizationId };
  await fixture.db
    .insertInto("member")
    .values({
      id: newTextId(),
      organizationId: other.organizationId,
      userId: owner.user.id,
      role: "member",
      teamId: null,
      createdAt: new Date(),
    })
    .execute();
  const person = { ...owner, session: { ...owner.session, session } };
  expect(await list(person)).toMatchObject([{ id: otherTeam }]);
  expect(await list(person, one.organizationId)).toMatchObject([{ id: team }]);
  expect(await list(person, "")).toMatchObject([{ id: otherTeam }]);
});

test("fails without an organization", async () => {
  const nobody = newPerson();
  const none = "NO_ACTIVE_ORGANIZATION";
  expect(await outcomeOf(create(nobody))).toBe(none);
  expect(await outcomeOf(list(nobody))).toBe(none);
  expect(await outcomeOf(update(nobody, { teamId: "any" }))).toBe(none);
  expect(await outcomeOf(remove(nobody, { teamId: "any" }))).toBe(none);
});

test("refuses changes by members without the permission, and shows teams to members only", async () => {
  const { organizationId, member } = await fixture.seed();
  const { owner: stranger } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  await fixture.insertTeam(organizationId);
  const team = { teamId, organizationId };
  expect(await outcomeOf(create(stranger, organizationId))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
  );
  expect(await outcomeOf(create(member, organizationId))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION",
  );
  expect(await outcomeOf(list(stranger, organizationId))).toBe("FORBIDDEN");
  for (const person of [stranger, member])
    expect(await outcomeOf(update(person, { ...team, name: "Mine" }))).toBe(
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
    );
  expect(await outcomeOf(remove(stranger, team))).toBe("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM");
  expect(await outcomeOf(remove(member, team))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION",
  );
  expect(await list(member, organizationId)).toHaveLength(2);
});

test("refuses to remove the caller's own team", async () => {
  const { organizationId, owner } = await fixture.seed();
  const teamId = await fixture.insertTeam(organizationId);
  await fixture.insertTeam(organizationId);
  await fixture.db
    .updateTable("member")
    .set({ teamId })
    .where("userId", "=", owner.user.id)
    .execute();
  expect(await outcomeOf(remove(owner, { teamId, organizationId }))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM",
  );
});

/** Attack: an owner of one organization changes a team of another by its id. */
test("rejects a team of another organization", async () => {
  const { organizationId, owner } = await fixture.seed();
  const other = await fixture.seed();
  await fixture.insertTeam(organizationId);
  await fixture.insertTeam(organizationId);
  const teamId = await fixture.insertTeam(other.organizationId);
  await fixture.insertTeam(other.organizationId);
  const team = { teamId, organizationId };
  expect(await outcomeOf(update(owner, { ...team, name: "Mine" }))).toBe("TEAM_NOT_FOUND");
  expect(await outcomeOf(remove(owner, team))).toBe("TEAM_NOT_FOUND");
  const names = (await list(other.owner, other.organizationId)).map(({ name }) => name);
  expect(names).toEqual(["Crew", "Crew"]);
});

test("creates the default team without a change time", async () => {
  const { organizationId, owner } = await fixture.seed();
  const team = { id: newTextId(), name: "Acme", organizationId, createdAt: new Date() };
  await fixture.db
    .transaction()
    .execute((trx) => insertTeam(trx, { ...team, updatedAt: null, extra: {} }));
  expect(await list(owner, organizationId)).toEqual([{ ...team, updatedAt: null }]);
});
