import type { CallOf } from "./calls.ts";
import { invitationMilliseconds, refuseInviter } from "./inviting.ts";
import {
  type Invitation,
  type InvitationsState,
  isFull,
  isPending,
  limits,
  memberOf,
  type Rule,
} from "./state.ts";

const notFound = "400 INVITATION_NOT_FOUND";

const pendingOne = (state: InvitationsState, name: string): Invitation | undefined => {
  const invitation = state.invitations[name];
  return invitation && isPending(state, invitation) ? invitation : undefined;
};

/** Returns why a user may not answer an invitation. */
const refuseAnswer = (state: InvitationsState, call: { invitation: string; by: string }) => {
  const offered = pendingOne(state, call.invitation);
  if (!offered) return notFound;
  return offered.person === call.by ? undefined : "403 YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION";
};

export const accept: Rule<CallOf<"accept">> = {
  look: refuseAnswer,
  act: (state, { invitation: name, member, by }) => {
    if (!state.invitations[name]) return "400 FAILED_TO_RETRIEVE_INVITATION";
    const offered = pendingOne(state, name);
    const organization = offered && state.organizations[offered.organization];
    if (!organization) return notFound;
    if (memberOf(state, offered.organization, by))
      return "400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION";
    if (Object.keys(organization.members).length >= limits.members)
      return "403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED";
    const { team, role } = offered;
    if (team !== null && isFull(organization, team)) return "403 TEAM_MEMBER_LIMIT_REACHED";
    offered.status = "accepted";
    organization.members[member] = { person: by, role, team };
    return "200";
  },
};

export const reject: Rule<CallOf<"reject">> = {
  look: refuseAnswer,
  act: (state, { invitation }) => {
    const offered = pendingOne(state, invitation);
    if (!offered) return notFound;
    offered.status = "rejected";
    return "200";
  },
};

export const cancel: Rule<CallOf<"cancel">> = {
  look: (state, { invitation }) => (state.invitations[invitation] ? undefined : notFound),
  act: (state, { invitation, by }) => {
    const stored = state.invitations[invitation];
    const member = stored && memberOf(state, stored.organization, by);
    if (!member) return "400 MEMBER_NOT_FOUND";
    if (member.role === "member") return "403 YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION";
    stored.status = "canceled";
    return "200";
  },
};

const minute = 60_000;

export const sendAgain: Rule<CallOf<"send-again">> = {
  look: (state, { invitation, by }) => {
    const offered = pendingOne(state, invitation);
    return offered && memberOf(state, offered.organization, by) ? undefined : notFound;
  },
  act: (state, call) => {
    const { invitations, now } = state;
    const stored = invitations[call.invitation];
    const member = stored && memberOf(state, stored.organization, call.by);
    if (!stored) return notFound;
    if (!member) return "400 MEMBER_NOT_FOUND"; // removed meanwhile
    const refusal = refuseInviter(member.role, stored.role);
    if (refusal) return refusal;
    if (!isPending(state, stored)) return notFound;
    if (stored.mailedAt > now - minute) return "429";
    stored.mailedAt = now;
    stored.expiresAt = now + invitationMilliseconds;
    return "200";
  },
};
