import {
  isEmailAddress,
  type OperationReply,
  type operations,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import { readRoles } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import { findUsers } from "../users/find-users.ts";
import { checkInviter } from "./check-inviter.ts";
import { issueInvitation, type IssueInvitationNeeds } from "./issue-invitation.ts";
import { showMailedInvitation } from "./show-invitation.ts";

type InviteMember = typeof operations.organization.inviteMember;
type Needs = IssueInvitationNeeds & Pick<Deps, "identity">;

/**
 * Invites an address to an organization. Throws `INVALID_EMAIL`, `ORGANIZATION_NOT_FOUND`, `MEMBER_NOT_FOUND`,
 * `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE`,
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`, `USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION`,
 * `INVITATION_LIMIT_REACHED`, `TEAM_NOT_FOUND` and `TEAM_MEMBER_LIMIT_REACHED`.
 */
export const inviteMember = async (
  deps: Needs,
  { body, session, caller }: Call<InviteMember>,
): Promise<Answer<OperationReply<InviteMember>>> => {
  const { organization } = deps.config;
  if (!isEmailAddress(body.email)) throw new WireError("INVALID_EMAIL");
  const email = body.email.toLowerCase();
  const role = readRoles(organization, body.role);
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("ORGANIZATION_NOT_FOUND");
  const member = await findOwnMembership(deps, { caller, session }, { id: organizationId });
  const inviter = checkInviter(deps.config, member, role);
  const users = await findUsers(deps, caller, { emails: [email] });
  const invitation = await issueInvitation(deps, {
    inviter,
    email,
    userIds: users.map(({ id }) => id),
    role,
    teamId: (organization.teams.enabled && body.teamId) || null,
    isRepeated: body.resend === true,
    session,
    caller,
  });
  return { reply: showMailedInvitation(deps, invitation) };
};
