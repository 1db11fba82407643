import type { operations } from "@latchkey/contracts";
import type { Call } from "@latchkey/service-kit/http";
import { expectNoLeaks, newPerson, type Person } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { outcomeOf } from "../members/test-members.fixture.ts";
import { inviteMember } from "./operations.ts";
import { openInvitations } from "./test-invitations.fixture.ts";

expectNoLeaks("file");

type InviteMember = typeof operations.organization.inviteMember;

const fixture = await openInvitations();
const deps = fixture.depsWith();

const inviteBy = (person: Person, body: Partial<Call<InviteMember>["body"]>) => {
  const whole = { email: "ada@example.com", role: "member", ...body };
  return inviteMember(deps, { body: whole, ...person } as unknown as Call<InviteMember>);
};

test.each([
  ["an invalid address", { email: "ada" }, "INVALID_EMAIL"],
  ["an address that is not a string", { email: 4 }, "INVALID_EMAIL"],
  ["an unknown role", { role: "boss" }, "VALIDATION_ERROR"],
  ["an unknown role among others", { role: ["member", "boss"] }, "VALIDATION_ERROR"],
  ["no role", { role: "" }, "VALIDATION_ERROR"],
  ["an empty list of roles", { role: [] }, "VALIDATION_ERROR"],
  ["no organization", {}, "ORGANIZATION_NOT_FOUND"],
  ["an empty organization id", { organizationId: "" }, "ORGANIZATION_NOT_FOUND"],
  ["an unknown organization", { organizationId: "nothing" }, "MEMBER_NOT_FOUND"],
])("%s is refused", async (_what, body, outcome) => {
  expect(await outcomeOf(inviteBy(newPerson(), body))).toBe(outcome);
});

test("reveals nothing about addresses to a caller who is not a member or may not invite", async () => {
  const { organizationId, member } = await fixture.seed();
  expect(await outcomeOf(inviteBy(newPerson(), { organizationId }))).toBe("MEMBER_NOT_FOUND");
  const notAllowed = "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION";
  expect(await outcomeOf(inviteBy(member, { organizationId }))).toBe(notAllowed);
});

test("invites nobody while identity is unavailable", async () => {
  const { organizationId, owner } = await fixture.seed();
  await expect(inviteBy(owner, { organizationId })).rejects.toThrow();
  expect(await fixture.invitationsOf(organizationId)).toEqual([]);
});
