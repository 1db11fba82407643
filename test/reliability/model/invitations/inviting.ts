import type { CallOf } from "./calls.ts";
import {
  type InvitationsState,
  isFull,
  isPending,
  limits,
  memberOf,
  type Role,
  type Rule,
} from "./state.ts";

const hour = 3_600_000;
export const invitationMilliseconds = 172_800_000;

/** Returns why an inviter may not invite to a role. */
export const refuseInviter = (inviterRole: Role, role: Role): string | undefined => {
  if (inviterRole === "member")
    return "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION";
  if (role === "owner" && inviterRole !== "owner")
    return "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE";
  return undefined;
};

const look = (state: InvitationsState, { organization, by, role }: CallOf<"invite">) => {
  const inviter = memberOf(state, organization, by);
  return inviter ? refuseInviter(inviter.role, role) : "400 MEMBER_NOT_FOUND";
};

const pendingOf = (state: InvitationsState, organization: string) =>
  Object.values(state.invitations).filter(
    (one) => one.organization === organization && isPending(state, one),
  );

/** Whether a user has sent too many invitations to another within the hour. */
const isTooMuch = ({ issued, now }: InvitationsState, { by, person }: CallOf<"invite">): boolean =>
  issued.filter((one) => one.inviter === by && one.person === person && one.at > now - hour)
    .length >= limits.toOneAddress;

const act = (state: InvitationsState, call: CallOf<"invite">): string => {
  const { organization: name, by, person, role, team, resend } = call;
  const organization = state.organizations[name];
  if (!organization) return "400 ORGANIZATION_NOT_FOUND";
  const refusal = look(state, call);
  if (refusal) return refusal;
  if (memberOf(state, name, person)) return "400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION";
  const pending = pendingOf(state, name);
  const former = pending.filter((one) => one.person === person);
  if (former.length > 0 && !resend) return "400 USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION";
  if (pending.length - former.length >= limits.invitations || isTooMuch(state, call))
    return "403 INVITATION_LIMIT_REACHED";
  if (team !== null && !organization.teams.includes(team)) return "400 TEAM_NOT_FOUND";
  if (team !== null && isFull(organization, team)) return "403 TEAM_MEMBER_LIMIT_REACHED";
  for (const one of former) one.status = "canceled";
  state.issued.push({ inviter: by, person, at: state.now });
  state.invitations[call.invitation] = {
    organization: name,
    person,
    inviter: by,
    role,
    team,
    status: "pending",
    expiresAt: state.now + invitationMilliseconds,
    mailedAt: state.now,
  };
  return "200";
};

export const invite: Rule<CallOf<"invite">> = { look, act };
