import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { outcomeOf, tally } from "../members/test-members.fixture.ts";
import { callBy, openOrganizations, replyOf } from "../organizations/test-organizations.fixture.ts";
import {
  adminAddTeamMember,
  adminCreateTeam,
  adminRemoveTeam,
  adminRemoveTeamMember,
  adminUpdateTeam,
} from "./teams.ts";

expectNoLeaks("file");

const admin = newPerson({ role: "admin" });
const byAdmin = { actorKind: "user", actorId: admin.user.id };
const fixture = await openOrganizations();

const depsWith = (teams: object = {}) =>
  fixture.depsWith({ tree: { organization: { teams: { enabled: true, ...teams } } } });
const plain = depsWith();

const at = (id: string, body: object) => callBy(admin, { params: { id }, body }) as never;
const create = (id: string, name = "Crew", deps = plain) =>
  replyOf(adminCreateTeam(deps, at(id, { name })));
const rename = (id: string, teamId: string, name: string) =>
  replyOf(adminUpdateTeam(plain, at(id, { teamId, name })));
const remove = (id: string, teamId: string, deps = plain) =>
  replyOf(adminRemoveTeam(deps, at(id, { teamId })));
const enter = (id: string, member: { teamId: string; memberId: string }, deps = plain) =>
  replyOf(adminAddTeamMember(deps, at(id, member)));
const leave = (id: string, member: { teamId: string; memberId: string }) =>
  replyOf(adminRemoveTeamMember(plain, at(id, member)));

/** Creates an organization with a team and members. */
const seed = async (count = 1) => {
  const people = Array.from({ length: count }, () => newPerson());
  const { organization, memberOf } = await seedOrganization(
    fixture.db,
    people.map((person) => ({ person, role: "member" })),
  );
  const { id } = organization;
  const team = await create(id);
  return { id, team, members: people.map(memberOf) };
};
const teamsOf = async (organizationId: string) => {
  const rows = fixture.db
    .selectFrom("member")
    .select("teamId")
    .where("organizationId", "=", organizationId);
  return (await rows.execute()).map(({ teamId }) => teamId);
};

describe("teams, as an admin", () => {
  test("are created, renamed and removed with the admin in the audit", async () => {
    const { id, team } = await seed();
    expect(team).toMatchObject({ name: "Crew", organizationId: id });
    expect(await rename(id, team.id, "Deck")).toMatchObject({ id: team.id, name: "Deck" });
    const { id: second } = await create(id, "Second");
    expect(await remove(id, team.id)).toMatchObject({ id: team.id, name: "Deck" });
    expect(await fixture.auditOf(id)).toEqual([
      { ...byAdmin, action: "team.created", before: null, after: { id: team.id, name: "Crew" } },
      {
        ...byAdmin,
        action: "team.updated",
        before: { id: team.id, name: "Crew" },
        after: { id: team.id, name: "Deck" },
      },
      { ...byAdmin, action: "team.created", before: null, after: { id: second, name: "Second" } },
      { ...byAdmin, action: "team.removed", before: { id: team.id, name: "Deck" }, after: null },
    ]);
  });

  test("are no more than the options allow, for sixteen concurrent requests", async () => {
    const { id } = await seed();
    const deps = depsWith({ maximumTeams: 4 });
    const trials = Array.from({ length: 16 }, () => create(id, "Crew", deps));
    expect(await tally(trials)).toEqual({
      done: 3,
      YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: 13,
    });
  });

  test("keep one of sixteen that are removed at once, unless the options allow none", async () => {
    const { id, team } = await seed();
    const others = await Promise.all(Array.from({ length: 15 }, () => create(id)));
    const trials = [team, ...others].map((one) => remove(id, one.id));
    expect(await tally(trials)).toEqual({ done: 15, UNABLE_TO_REMOVE_LAST_TEAM: 1 });
    const last = await fixture.db
      .selectFrom("team")
      .select("id")
      .where("organizationId", "=", id)
      .executeTakeFirstOrThrow();
    await remove(id, last.id, depsWith({ allowRemovingAllTeams: true }));
  });

  test("of another organization are answered like unknown ones", async () => {
    const [one, other] = [await seed(), await seed()];
    const before = await fixture.auditOf(other.id);
    const member = { memberId: one.members[0]?.id ?? "", teamId: other.team.id };
    for (const teamId of [other.team.id, newTextId()]) {
      expect(await outcomeOf(rename(one.id, teamId, "Deck"))).toBe("TEAM_NOT_FOUND");
      expect(await outcomeOf(remove(one.id, teamId))).toBe("TEAM_NOT_FOUND");
      expect(await outcomeOf(enter(one.id, { ...member, teamId }))).toBe("TEAM_NOT_FOUND");
      expect(await outcomeOf(leave(one.id, { ...member, teamId }))).toBe("TEAM_NOT_FOUND");
    }
    expect(await outcomeOf(enter(other.id, member))).toBe("MEMBER_NOT_FOUND");
    expect(await outcomeOf(create(newTextId()))).toBe("ORGANIZATION_NOT_FOUND");
    expect(await fixture.auditOf(other.id)).toEqual(before);
  });
});

describe("members of a team, as an admin", () => {
  test("are added to several teams, and taken out of one", async () => {
    const { id, team, members } = await seed();
    const [member] = members;
    const { id: memberId = "", userId } = member ?? {};
    const { id: second } = await create(id, "Second");
    expect(await enter(id, { teamId: team.id, memberId })).toMatchObject({ teamId: team.id });
    expect(await enter(id, { teamId: second, memberId })).toMatchObject({ teamId: team.id });
    await enter(id, { teamId: second, memberId });
    expect(await leave(id, { teamId: team.id, memberId })).toMatchObject({ teamId: second });
    expect(await outcomeOf(leave(id, { teamId: team.id, memberId }))).toBe("MEMBER_NOT_FOUND");
    const change = (before: string | null, after: string | null) => ({
      ...byAdmin,
      action: "member.team-changed",
      before: { id: memberId, userId, teamId: before },
      after: { id: memberId, userId, teamId: after },
    });
    expect((await fixture.auditOf(id)).slice(2)).toEqual([
      change(null, team.id),
      change(null, second),
      change(team.id, null),
    ]);
  });

  test("are no more than the options allow, for sixteen concurrent requests", async () => {
    const { id, team, members } = await seed(16);
    const deps = depsWith({ maximumMembersPerTeam: 3 });
    const trials = members.map(({ id: memberId }) =>
      enter(id, { teamId: team.id, memberId }, deps),
    );
    expect(await tally(trials)).toEqual({ done: 3, TEAM_MEMBER_LIMIT_REACHED: 13 });
    expect((await teamsOf(id)).filter((teamId) => teamId === team.id)).toHaveLength(3);
  });
});
