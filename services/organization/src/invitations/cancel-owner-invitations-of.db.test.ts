import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedOrganization } from "../db/test-organization.fixture.ts";
import { endMembership } from "../members/end-membership.ts";
import { leaveOrganization } from "../members/leave-organization.ts";
import { updateMemberRole } from "../members/update-member-role.ts";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { callBy } from "../organizations/test-organizations.fixture.ts";
import {
  openInvitations,
  type OpenedInvitations,
  type TestDeps,
} from "./test-invitations.fixture.ts";

expectNoLeaks("file");

let it: OpenedInvitations;
let deps: TestDeps;
beforeAll(async () => {
  it = await openInvitations();
  deps = it.depsWith();
});
afterAll(() => it.close());

interface Goodbye {
  organizationId: string;
  goes: Person;
  stays: Person;
  /** The membership of who goes. */
  memberId: string;
}

const goodbyes = {
  removed: ({ organizationId, goes, stays }: Goodbye) =>
    endMembership(deps, { organizationId, target: { userId: goes.user.id }, ...stays }),
  leaving: ({ organizationId, goes }: Goodbye) =>
    leaveOrganization(deps, callBy(goes, { body: { organizationId } })),
  demoted: ({ organizationId, stays, memberId }: Goodbye) =>
    updateMemberRole(deps, callBy(stays, { body: { organizationId, memberId, role: "member" } })),
};

const seed = async () => {
  const [goes, stays] = [newPerson(), newPerson()];
  const { organization, memberOf } = await seedOrganization(it.db, [
    { person: goes, role: "owner" },
    { person: stays, role: "owner" },
  ]);
  return { goes, stays, organizationId: organization.id, memberId: memberOf(goes).id };
};

/** Attack: an owner who expects to be removed invites a second address of theirs as an owner. */
test.each([
  ["removed", "member.removed"],
  ["leaving", "member.removed"],
  ["demoted", "member.role-changed"],
] as const)(
  "of an owner who is %s the pending invitations to be an owner are withdrawn, and no others",
  async (way, action) => {
    const { organizationId, goes, stays, memberId } = await seed();
    const elsewhere = await seedOrganization(it.db, [{ person: goes, role: "owner" }]);
    const send = (by: Person, role: string, to = organizationId) =>
      it.invite({ organizationId: to, by, email: newPerson().user.email }, { role });
    const accomplice = newPerson();
    const own = { organizationId, by: goes, email: accomplice.user.email };
    const withdrawn = [await it.invite(own, { role: "owner" }), await send(goes, "member,owner")];
    const kept = [
      await send(goes, "admin"),
      await send(stays, "owner"),
      await send(goes, "owner", elsewhere.organization.id),
    ];
    const declined = newPerson();
    const over = await it.invite({ ...own, email: declined.user.email }, { role: "owner" });
    await it.reject(declined, over.id);
    await goodbyes[way]({ organizationId, goes, stays, memberId });
    for (const { id } of withdrawn) expect(await it.statusOf(id)).toBe("canceled");
    for (const { id } of kept) expect(await it.statusOf(id)).toBe("pending");
    expect(await it.statusOf(over.id)).toBe("rejected");
    expect(await outcomeOf(it.accept(accomplice, withdrawn[0]!.id))).toBe("INVITATION_NOT_FOUND");
    expect((await it.actionsOf(organizationId)).slice(-2)).toEqual([action, "invitation.canceled"]);
  },
);

test("an invitation to be an owner that is sent while its sender is removed is withdrawn, or not sent", async () => {
  for (let round = 0; round < 16; round += 1) {
    const { organizationId, goes, stays, memberId } = await seed();
    const { email } = newPerson().user;
    await Promise.all([
      outcomeOf(it.invite({ organizationId, by: goes, email }, { role: "owner" })),
      goodbyes.removed({ organizationId, goes, stays, memberId }),
    ]);
    const statuses = (await it.invitationsOf(organizationId)).map(({ status }) => status);
    expect(statuses).not.toContain("pending");
  }
});
