import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId } from "../db/test-organization.fixture.ts";
import { openInvitations } from "../invitations/test-invitations.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { removeMemberBy } from "../members/operations.ts";
import { replyOf } from "../organizations/test-organizations.fixture.ts";
import { listTeamIds } from "../rows/team-members.ts";
import { removeTeam } from "./operations.ts";
import {
  addTeamMember,
  listTeamMembers,
  listUserTeams,
  removeTeamMember,
  setActiveTeam,
} from "./team-members.ts";

expectNoLeaks("file");

type Operations = typeof operations.organization;
const callers = 16;
const fixture = await openInvitations();
const { db } = fixture;
const depsWith = (teams: object = {}) =>
  fixture.depsWith({ tree: { organization: { teams: { enabled: true, ...teams } } } });
const deps = depsWith();

const callOf = <Name extends keyof Operations>(person: Person, input: object) =>
  ({ ...input, ...person }) as unknown as Call<Operations[Name]>;

type Change = { organizationId: string; teamId: string; userId: string };
const add = (by: Person, body: Change, using = deps) =>
  replyOf(addTeamMember(using, callOf(by, { body })));
const take = (by: Person, body: Change) => replyOf(removeTeamMember(deps, callOf(by, { body })));
const teamsOf = (by: Person, query: { userId?: string; organizationId?: string } = {}) =>
  replyOf(listUserTeams(deps, callOf(by, { query })));
const membersOf = (by: Person, teamId?: string) =>
  replyOf(listTeamMembers(deps, callOf(by, { query: { teamId } })));

/** Creates an organization with two teams. */
const seed = async () => {
  const seeded = await fixture.seed();
  const teams = [
    await fixture.insertTeam(seeded.organizationId),
    await fixture.insertTeam(seeded.organizationId),
  ] as const;
  return { ...seeded, teams };
};
const firstTeamOf = async ({ user }: Person) => {
  const row = db.selectFrom("member").select("teamId").where("userId", "=", user.id);
  return (await row.executeTakeFirstOrThrow()).teamId;
};

test("adds a member to several teams, of which `teamId` is the first", async () => {
  const { organizationId, admin, member, teams } = await seed();
  const userId = member.user.id;
  for (const teamId of teams)
    expect(await add(admin, { organizationId, teamId, userId })).toEqual({
      id: expect.any(String),
      teamId,
      userId,
      createdAt: expect.any(Date),
    });
  expect((await teamsOf(member)).map(({ id }) => id).toSorted()).toEqual(teams.toSorted());
  expect(await firstTeamOf(member)).toBe(teams[0]);
  await take(admin, { organizationId, teamId: teams[0], userId });
  expect(await firstTeamOf(member)).toBe(teams[1]);
  expect(await membersOf(member, teams[1])).toMatchObject([{ teamId: teams[1], userId }]);
  expect(await fixture.actionsOf(organizationId)).toEqual(Array(3).fill("member.team-changed"));
});

test("keeps one place for a member who is added by sixteen requests at once", async () => {
  const { organizationId, owner, member, teams } = await seed();
  const body = { organizationId, teamId: teams[0], userId: member.user.id };
  const added = await Promise.all(Array.from({ length: callers }, () => add(owner, body)));
  expect(new Set(added.map(({ id }) => id)).size).toBe(1);
  expect(await membersOf(owner, teams[0])).toHaveLength(1);
  expect(await fixture.actionsOf(organizationId)).toEqual(["member.team-changed"]);
});

test("fills a team exactly to its limit under concurrency, and keeps who is in it", async () => {
  const limited = depsWith({ maximumMembersPerTeam: 3 });
  const { organizationId, owner, teams } = await seed();
  const people = Array.from({ length: callers }, () => newPerson());
  const row = { organizationId, role: "member", teamId: null, createdAt: new Date() };
  const members = people.map(({ user }) => ({ ...row, id: newTextId(), userId: user.id }));
  await db.insertInto("member").values(members).execute();
  const enter = (userId: string) =>
    add(owner, { organizationId, teamId: teams[0], userId }, limited);
  expect(await tally(people.map(({ user }) => enter(user.id)))).toEqual({
    done: 3,
    TEAM_MEMBER_LIMIT_REACHED: callers - 3,
  });
  const [present] = await membersOf(owner, teams[0]);
  expect(await outcomeOf(enter(present?.userId ?? ""))).toBe("done");
});

test("takes a member out once, of sixteen requests at once", async () => {
  const { organizationId, owner, member, teams } = await seed();
  const body = { organizationId, teamId: teams[0], userId: member.user.id };
  await add(owner, body);
  expect(await tally(Array.from({ length: callers }, () => take(owner, body)))).toEqual({
    done: 1,
    USER_IS_NOT_A_MEMBER_OF_THE_TEAM: callers - 1,
  });
});

test("needs `team: update` to change who is in a team", async () => {
  const { organizationId, member, teams } = await seed();
  const body = { organizationId, teamId: teams[0], userId: member.user.id };
  expect(await outcomeOf(add(member, body))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER",
  );
  expect(await outcomeOf(take(member, body))).toBe("YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER");
});

test("shows the members of a team to its members and to those who may change teams", async () => {
  const { organizationId, owner, member, teams } = await seed();
  const notInTeam = "USER_IS_NOT_A_MEMBER_OF_THE_TEAM";
  expect(await outcomeOf(membersOf(member, teams[0]))).toBe(notInTeam);
  expect(await membersOf(owner, teams[0])).toEqual([]);
  await add(owner, { organizationId, teamId: teams[0], userId: member.user.id });
  expect(await membersOf(member, teams[0])).toHaveLength(1);
  expect(await outcomeOf(membersOf(member))).toBe("YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM");
});

test("shows the teams of others only to members who may change members", async () => {
  const { organizationId, owner, admin, member } = await seed();
  const { id: userId } = admin.user;
  expect(await teamsOf(owner, { organizationId, userId })).toEqual([]);
  expect(await outcomeOf(teamsOf(member, { organizationId, userId }))).toBe(
    "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER",
  );
  expect(await outcomeOf(teamsOf(owner, { organizationId, userId: newTextId() }))).toBe(
    "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  );
});

/** Attack: an owner of one organization reads and changes the teams of another by its ids. */
test("answers teams and members of another organization like unknown ones", async () => {
  const [one, other] = [await seed(), await seed()];
  const { organizationId, owner, member } = one;
  const userId = member.user.id;
  for (const teamId of [other.teams[0], newTextId()]) {
    expect(await outcomeOf(add(owner, { organizationId, teamId, userId }))).toBe("TEAM_NOT_FOUND");
    expect(await outcomeOf(take(owner, { organizationId, teamId, userId }))).toBe("TEAM_NOT_FOUND");
    expect(await outcomeOf(membersOf(owner, teamId))).toBe("TEAM_NOT_FOUND");
  }
  const stranger = { organizationId, teamId: one.teams[0], userId: other.member.user.id };
  expect(await outcomeOf(add(owner, stranger))).toBe("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
  const elsewhere = { organizationId: other.organizationId, teamId: other.teams[0], userId };
  expect(await outcomeOf(add(owner, elsewhere))).toBe("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
});

/** Lets identity record the choices and forgettings that it is asked for. */
const recordingIdentity = () => {
  const calls: { name: string; body: Record<string, unknown> }[] = [];
  const call = async ({ name }: { name: string }, { body }: { body: Record<string, unknown> }) => {
    calls.push({ name, body });
    return { effect: null, epochs: [] };
  };
  return { calls, deps: { ...deps, identity: { ...deps.identity, call: call as never } } };
};

const activate = (
  { caller, session }: Person,
  { teamId, using = deps }: { teamId: string | null | undefined; using?: typeof deps },
  active: { activeOrganizationId: string; activeTeamId?: string },
) => {
  const acting = { ...session, session: { ...session.session, ...active } };
  const person = { caller: { ...caller, sessionToken: "token" }, session: acting };
  return replyOf(
    setActiveTeam(using, { ...person, body: { teamId } } as unknown as Call<
      Operations["setActiveTeam"]
    >),
  );
};

test("activates only a team of the caller in the active organization", async () => {
  const { organizationId, owner, member, teams } = await seed();
  const other = await seed();
  const active = { activeOrganizationId: organizationId };
  await add(owner, { organizationId, teamId: teams[0], userId: member.user.id });
  const { calls, deps: using } = recordingIdentity();
  expect(await activate(member, { teamId: teams[0], using }, active)).toMatchObject({
    id: teams[0],
  });
  expect(calls).toEqual([
    { name: "chooseOrganization", body: { token: "token", organizationId, teamId: teams[0] } },
  ]);
  const refused = (teamId: string) => outcomeOf(activate(member, { teamId, using }, active));
  expect(await refused(teams[1])).toBe("USER_IS_NOT_A_MEMBER_OF_THE_TEAM");
  expect(await refused(other.teams[0])).toBe("TEAM_NOT_FOUND");
  const inTeam = { ...active, activeTeamId: teams[0] };
  expect(await activate(member, { teamId: null, using }, inTeam)).toBeNull();
  expect(calls.at(-1)?.body).toEqual({ token: "token", organizationId, teamId: null });
  expect(await activate(member, { teamId: undefined, using }, active)).toBeNull();
  expect(calls).toHaveLength(2);
});

test("takes the active team back if the member left it before the choice reached the session", async () => {
  const { organizationId, owner, member, teams } = await seed();
  const place = { organizationId, teamId: teams[0] };
  await add(owner, { ...place, userId: member.user.id });
  const { calls, deps: using } = recordingIdentity();
  const call = using.identity.call as unknown as (...given: unknown[]) => Promise<unknown>;
  using.identity.call = (async (operation: { name: string }, ...given: unknown[]) => {
    if (operation.name === "chooseOrganization")
      await db.deleteFrom("teamMember").where("teamId", "=", teams[0]).execute();
    return call(operation, ...given);
  }) as never;
  const active = { activeOrganizationId: organizationId };
  expect(await outcomeOf(activate(member, { teamId: teams[0], using }, active))).toBe(
    "USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
  );
  expect(calls.at(-1)).toMatchObject({
    name: "forgetOrganization",
    body: { ...place, userIds: [member.user.id] },
  });
});

const published = async (teamId: string) => {
  const rows = await db
    .selectFrom("outbox")
    .select("data")
    .where("name", "=", "team-members.removed")
    .where("data", "like", `%${teamId}%`)
    .execute();
  return rows.flatMap(({ data }) => (JSON.parse(data) as { userIds: string[] }).userIds);
};

test("tells the sessions of those who leave a team, and of all whose team is removed", async () => {
  const { organizationId, owner, admin, member, teams } = await seed();
  for (const { user } of [admin, member])
    for (const teamId of teams) await add(owner, { organizationId, teamId, userId: user.id });
  await take(owner, { organizationId, teamId: teams[0], userId: member.user.id });
  expect(await published(teams[0])).toEqual([member.user.id]);
  await removeTeam(deps, callOf(owner, { body: { organizationId, teamId: teams[1] } }));
  expect((await published(teams[1])).toSorted()).toEqual(
    [admin.user.id, member.user.id].toSorted(),
  );
  expect([await firstTeamOf(admin), await firstTeamOf(member)]).toEqual([teams[0], null]);
});

test("a removed member leaves all teams", async () => {
  const { organizationId, owner, member, teams } = await seed();
  for (const teamId of teams) await add(owner, { organizationId, teamId, userId: member.user.id });
  const target = { userId: member.user.id };
  await removeMemberBy(deps, { organizationId, target, ...owner });
  for (const teamId of teams) expect(await membersOf(owner, teamId)).toEqual([]);
  expect(await teamsOf(member)).toEqual([]);
});

test("follows a writer that knows only one team of a member", async () => {
  const { organizationId, owner, member, teams } = await seed();
  const write = (teamId: string | null) =>
    db.updateTable("member").set({ teamId }).where("userId", "=", member.user.id).execute();
  const { id } = await db
    .selectFrom("member")
    .select("id")
    .where("userId", "=", member.user.id)
    .executeTakeFirstOrThrow();
  const joined = async () => (await listTeamIds(db, [id])).get(id);
  await write(teams[0]);
  expect(await joined()).toEqual([teams[0]]);
  await write(teams[1]);
  expect(await joined()).toEqual([teams[1]]);
  await write(null);
  expect(await joined()).toBeUndefined();
  await add(owner, { organizationId, teamId: teams[0], userId: member.user.id });
  expect(await firstTeamOf(member)).toBe(teams[0]);
});
