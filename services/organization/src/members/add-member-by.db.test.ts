import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { insertTeam } from "../rows/teams.ts";
import { addMemberBy } from "./change-members.ts";
import { forgetUser } from "../organizations/forget-user.ts";
import { openMembers, outcomeOf, tally } from "./test-members.fixture.ts";

expectNoLeaks("file");

const isMember = "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION";
const isFull = "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED";

const fixture = await openMembers();

const seed = async () => {
  const { organization } = await seedOrganization(fixture.db, [
    { person: newPerson(), role: "owner" },
  ]);
  return organization.id;
};

const withTeams = (options: object = {}) =>
  fixture.depsWith({ organization: { teams: { enabled: true, ...options } } });

const addTeam = async (organizationId: string): Promise<string> => {
  const id = newTextId();
  await insertTeam(fixture.db, {
    id,
    name: "A",
    organizationId,
    createdAt: new Date(),
    updatedAt: null,
    extra: {},
  });
  return id;
};

test("adds no more of sixteen concurrent users than the limit allows", async () => {
  const organizationId = await seed();
  const deps = fixture.depsWith({ organization: { membershipLimit: 5 } });
  const trials = Array.from({ length: 16 }, () =>
    fixture.enrol({ organizationId, person: newPerson() }, deps),
  );
  expect(await tally(trials)).toEqual({ done: 4, [isFull]: 12 });
  expect(await fixture.rolesIn(organizationId)).toHaveLength(5);
});

test("makes a user one member for sixteen concurrent requests", async () => {
  const organizationId = await seed();
  const person = newPerson();
  const trials = Array.from({ length: 16 }, () => fixture.enrol({ organizationId, person }));
  expect(await tally(trials)).toEqual({ done: 1, [isMember]: 15 });
  expect(await fixture.rolesIn(organizationId)).toHaveLength(2);
});

test("reports an existing membership even if the organization is full", async () => {
  const organizationId = await seed();
  const person = newPerson();
  await fixture.enrol({ organizationId, person });
  const full = fixture.depsWith({ organization: { membershipLimit: 1 } });
  expect(await outcomeOf(fixture.enrol({ organizationId, person }, full))).toBe(isMember);
  const another = fixture.enrol({ organizationId, person: newPerson() }, full);
  expect(await outcomeOf(another)).toBe(isFull);
});

test("adds nobody to an unknown organization", async () => {
  const trial = fixture.enrol({ organizationId: "nowhere", person: newPerson() });
  expect(await outcomeOf(trial)).toBe("ORGANIZATION_NOT_FOUND");
});

test("names the service that added a member in the audit", async () => {
  const organizationId = await seed();
  const { id, userId } = await fixture.enrol({ organizationId, person: newPerson() });
  expect(await fixture.auditOf(organizationId)).toEqual([
    {
      actorKind: "service",
      actorId: "test",
      action: "member.added",
      before: null,
      after: { id, userId, role: "member" },
    },
  ]);
});

const enrolIn = (
  deps: ReturnType<typeof withTeams>,
  { organizationId, teamId }: { organizationId: string; teamId: string },
) =>
  addMemberBy(deps, {
    organizationId,
    teamId,
    userId: newTextId(),
    role: "member",
    extra: {},
    actor: { kind: "system" },
  });

test("rejects a team of another organization, and any team while teams are disabled", async () => {
  const [organizationId, other] = [await seed(), await seed()];
  const [teamId, foreign] = [await addTeam(organizationId), await addTeam(other)];
  const teams = withTeams();
  const trial = (deps: typeof teams, id: string) =>
    outcomeOf(enrolIn(deps, { organizationId, teamId: id }));
  expect(await trial(fixture.deps, teamId)).toBe("TEAMS_ARE_NOT_ENABLED");
  expect(await trial(teams, foreign)).toBe("TEAM_NOT_FOUND");
  expect(await trial(teams, "nothing")).toBe("TEAM_NOT_FOUND");
  expect(await fixture.rolesIn(organizationId)).toHaveLength(1);
  expect(await enrolIn(teams, { organizationId, teamId })).toMatchObject({ teamId });
});

test.each([
  ["a number", 3],
  ["a function", async () => 3],
])("admits three of sixteen concurrent users to a team limited by %s", async (_, limit) => {
  const organizationId = await seed();
  const teamId = await addTeam(organizationId);
  const deps = withTeams({ maximumMembersPerTeam: limit });
  const trials = Array.from({ length: 16 }, () => enrolIn(deps, { organizationId, teamId }));
  expect(await tally(trials)).toEqual({ done: 3, TEAM_MEMBER_LIMIT_REACHED: 13 });
  expect(await fixture.rolesIn(organizationId)).toHaveLength(4);
});

const deletionOf = (userId: string) => ({
  id: newTextId(),
  name: "user.deleted" as const,
  version: 1,
  occurredAt: new Date().toISOString(),
  data: { userId },
});

test("attack: a deleted user does not become a member by an earlier request", async () => {
  const organizationId = await seed();
  const person = newPerson();
  await forgetUser(fixture.deps, deletionOf(person.user.id));
  expect(await outcomeOf(fixture.enrol({ organizationId, person }))).toBe("USER_NOT_FOUND");
  expect(await fixture.rolesIn(organizationId)).toEqual(["owner"]);
});

test("leaves no member if a user is added and deleted at once, in either order", async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    const organizationId = await seed();
    const person = newPerson();
    const trials = [
      () => outcomeOf(fixture.enrol({ organizationId, person })),
      () => outcomeOf(forgetUser(fixture.deps, deletionOf(person.user.id))),
    ];
    const order = round % 2 ? trials : trials.toReversed();
    for (const outcome of await Promise.all(order.map((act) => act()))) outcomes.add(outcome);
    expect(await fixture.rolesIn(organizationId)).toEqual(["owner"]);
  }
  expect([...outcomes].toSorted()).toEqual(["USER_NOT_FOUND", "done"]);
});
