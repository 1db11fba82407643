import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { describeAnswer } from "../../done.ts";
import { inputOf } from "../../input-of.ts";
import { NotProven } from "../../not-proven.ts";
import { isNotOffered } from "../../offered-operations.ts";
import { withTenants } from "../../with-tenants.ts";

const { organization } = operations;
const ofOwners = [
  organization.updateOrganization,
  organization.deleteOrganization,
  organization.updateMemberRole,
  organization.removeMember,
  organization.inviteMember,
  organization.resendInvitation,
  organization.cancelInvitation,
  organization.createTeam,
  organization.updateTeam,
  organization.removeTeam,
  organization.addTeamMember,
  organization.removeTeamMember,
  organization.createRole,
  organization.updateRole,
  organization.deleteRole,
];
/** The role of an ordinary invitation. */
const role = "member";

const changesNothing = (role: Readonly<Record<string, readonly string[]>> = {}): boolean =>
  Object.values(role).every((actions) => actions.every((action) => action === "read"));

/** Attack: a member gives themself a role, or performs the actions of owners without one. */
export const membersAsOwners: Check = {
  class: "tenants",
  name: "members are refused every action that their roles do not allow",
  remedy: "Members can act as owners. Check the audit log for their actions, and update Latchkey.",
  run: async (context) => {
    const roles = (context.option("organization.roles") ?? {}) as Record<string, object>;
    if (!changesNothing(roles[role] as Record<string, string[]>))
      throw new NotProven(`a role ${role} that changes nothing, in organization.roles`);
    return withTenants(context, async ({ theirs, member, judge }) => {
      for (const operation of ofOwners) {
        const email = context.emailOf(context.newName());
        const sent = inputOf(operation, { ...theirs, own: { role: "owner", email } });
        const answer = await member.browser.ask(operation, sent);
        if (isNotOffered(answer)) judge.leaveOut(operation);
        else if (answer.status >= 400 && answer.status < 500) judge.note(operation);
        else judge.blame(`${operation.name} answered a member ${describeAnswer(answer)}`);
      }
    });
  },
};
