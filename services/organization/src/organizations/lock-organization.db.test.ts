import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { cancelInvitation } from "../invitations/operations.ts";
import { leaveOrganization, removeMember, updateMemberRole } from "../members/operations.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { removeTeam, updateTeam } from "../teams/operations.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { callBy, openOrganizations } from "./test-organizations.fixture.ts";
import { updateOrganization } from "./update-organization.ts";

expectNoLeaks("file");

const fixture = await openOrganizations();

const seed = async () => {
  const owner = newPerson();
  const { organization, memberOf } = await seedOrganization(fixture.db, [
    { person: owner, role: "owner" },
  ]);
  const invitationId = newTextId();
  const now = new Date();
  await fixture.db
    .insertInto("invitation")
    .values({
      id: invitationId,
      organizationId: organization.id,
      email: "bob@example.com",
      role: "member",
      teamId: null,
      status: "pending",
      expiresAt: now,
      inviterId: owner.user.id,
      createdAt: now,
      mailedAt: now,
    })
    .execute();
  return { organizationId: organization.id, memberId: memberOf(owner).id, invitationId };
};

/** Attack: an attacker who knows an organization's id blocks its members with requests that are refused. */
test("refuses a stranger without taking the organization's lock", async () => {
  const { organizationId, memberId, invitationId } = await seed();
  const stranger = newPerson();
  const by = (body: object) => callBy(stranger, { body });
  const trials = () => [
    updateOrganization(fixture.deps, by({ organizationId, data: { name: "Mine" } })),
    updateMemberRole(fixture.deps, by({ organizationId, memberId, role: "member" })),
    removeMember(fixture.deps, by({ organizationId, memberIdOrEmail: memberId })),
    leaveOrganization(fixture.deps, by({ organizationId })),
    cancelInvitation(fixture.deps, by({ invitationId })),
    updateTeam(fixture.deps, by({ teamId: "t", data: { organizationId, name: "Mine" } })),
    removeTeam(fixture.deps, by({ teamId: "t", organizationId })),
  ];
  const outcomes = await fixture.db.transaction().execute(async (trx) => {
    await lockOrganization(trx, organizationId);
    return Promise.all(trials().map(outcomeOf));
  });
  expect(outcomes).toEqual([
    "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    "MEMBER_NOT_FOUND",
    "MEMBER_NOT_FOUND",
    "MEMBER_NOT_FOUND",
    "MEMBER_NOT_FOUND",
    "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
    "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM",
  ]);
});
