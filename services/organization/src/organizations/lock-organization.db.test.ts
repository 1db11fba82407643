import { expectNoLeaks, newPerson } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { newTextId, seedOrganization } from "../db/test-organization.fixture.ts";
import { cancelInvitation } from "../invitations/cancel-invitation.ts";
import { leaveOrganization } from "../members/leave-organization.ts";
import { removeMember } from "../members/remove-member.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { updateMemberRole } from "../members/update-member-role.ts";
import { removeTeam } from "../teams/remove-team.ts";
import { updateTeam } from "../teams/update-team.ts";
import { lockOrganization } from "./queries.ts";
import { callBy, openOrganizations } from "./test-organizations.fixture.ts";
import { updateOrganization } from "./update-organization.ts";

expectNoLeaks("file");

const it = await openOrganizations();

const seed = async () => {
  const owner = newPerson();
  const { organization, memberOf } = await seedOrganization(it.db, [
    { person: owner, role: "owner" },
  ]);
  const invitationId = newTextId();
  const now = new Date();
  await it.db
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
    updateOrganization(it.deps, by({ organizationId, data: { name: "Mine" } })),
    updateMemberRole(it.deps, by({ organizationId, memberId, role: "member" })),
    removeMember(it.deps, by({ organizationId, memberIdOrEmail: memberId })),
    leaveOrganization(it.deps, by({ organizationId })),
    cancelInvitation(it.deps, by({ invitationId })),
    updateTeam(it.deps, by({ teamId: "t", data: { organizationId, name: "Mine" } })),
    removeTeam(it.deps, by({ teamId: "t", organizationId })),
  ];
  const outcomes = await it.db.transaction().execute(async (trx) => {
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
