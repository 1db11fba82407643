import { normalizeEmail, type operations, WireError } from "@latchkey/contracts";
import { sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import type { Deps, Handler } from "../deps.ts";
import { findOwnMembership, lockAsMember } from "../access/own-membership.ts";
import { lockMemberships } from "../rows/members.ts";
import { lockOrganization } from "../rows/organizations.ts";
import { allows, readRoles, rulesFor } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/active-organization.ts";
import { requireSecondFactor } from "../access/require-second-factor.ts";
import { findUsers } from "../users/users.ts";
import { checkInviter } from "./check-inviter.ts";
import {
  findGivenInvitation,
  findGivenPending,
  idForMember,
  showInvitation,
  showMailedInvitation,
} from "./invitation-ids.ts";
import { issueInvitation, recordIssued } from "./issue-invitation.ts";
import { mailAgain } from "./mail-invitation.ts";
import { type InvitationRow, listInvitationsFor } from "../rows/invitations.ts";
import { withdrawInvitation } from "../members/withdraw-invitations.ts";

/** Returns the teams that a request names. An empty id counts as none. */
const readTeamIds = (given: string | readonly string[] | undefined): string[] => [
  ...new Set([given ?? []].flat().filter((id) => id !== "")),
];

/**
 * Invites an address to an organization, and to any number of its teams. Throws `INVALID_EMAIL`, `ORGANIZATION_NOT_FOUND`, `MEMBER_NOT_FOUND`,
 * `YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE`,
 * `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`, `USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION`,
 * `INVITATION_LIMIT_REACHED`, `TEAM_NOT_FOUND` and `TEAM_MEMBER_LIMIT_REACHED`.
 */
export const inviteMember: Handler<"inviteMember"> = async (deps, { body, session, caller }) => {
  const { organization } = deps.config;
  const email = normalizeEmail(body.email);
  if (email === undefined) throw new WireError("INVALID_EMAIL");
  const role = readRoles(organization, body.role);
  const organizationId = organizationOf(session, body.organizationId);
  if (!organizationId) throw new WireError("ORGANIZATION_NOT_FOUND");
  const member = await findOwnMembership(deps, { caller, session }, { id: organizationId });
  const inviter = await checkInviter(deps, member, role);
  const users = await findUsers(deps, caller, { emails: [email] });
  const invitation = await issueInvitation(deps, {
    inviter,
    email,
    userIds: users.map(({ id }) => id),
    role,
    teamIds: organization.teams.enabled ? readTeamIds(body.teamId) : [],
    extra: await deps.fields.invitation.read({ values: body, mode: "create" }),
    isRepeated: body.resend === true,
    session,
    caller,
  });
  return { reply: showMailedInvitation(deps, invitation) };
};

type ResendInvitation = typeof operations.organization.resendInvitation;

const resend = (
  deps: Deps,
  { session, caller }: Call<ResendInvitation>,
  { id, organizationId, role, email }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    await lockMemberships(trx, session.session.userId);
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw new WireError("INVITATION_NOT_FOUND");
    const { userId } = session.session;
    const acting = { caller, session };
    const own = await findOwnMembership({ ...deps, db: trx }, acting, { id: organizationId });
    await checkInviter({ ...deps, db: trx }, own, role);
    const actor = sessionActor(session);
    const inviter = session.user;
    const invitation = await mailAgain(deps, trx, { id, organization, inviter, actor, caller });
    const now = deps.clock();
    const mail = { id: `${id} ${now}`, inviterId: userId, email, issuedAt: new Date(now) };
    await recordIssued(deps.config, trx, mail);
    return invitation;
  });

/**
 * Mails a pending invitation again and restarts its lifetime. Throws `INVITATION_NOT_FOUND`, also if the caller is not a member of its
 * organization. Throws the errors of inviting if the caller may not invite to its roles. Throws `TOO_MANY_REQUESTS` if its mail was
 * requested within the last minute, and `INVITATION_LIMIT_REACHED` if the caller has had too many mails sent to its address.
 */
export const resendInvitation: Handler<"resendInvitation"> = async (deps, call) => {
  const { invitationId } = call.body;
  const pending = await findGivenPending(deps, invitationId);
  if (!pending) throw new WireError("INVITATION_NOT_FOUND");
  const { organizationId } = pending.invitation;
  if (!(await findOwnMembership(deps, call, { id: organizationId })))
    throw new WireError("INVITATION_NOT_FOUND");
  const invitation = await resend(deps, call, pending.invitation);
  deps.wakeRelay();
  return { reply: showInvitation(deps, invitation, invitationId) };
};

type CancelInvitation = typeof operations.organization.cancelInvitation;

const cancel = (
  deps: Deps,
  { session, caller }: Call<CancelInvitation>,
  { id, organizationId }: InvitationRow,
): Promise<InvitationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const member = await lockAsMember(deps, trx, { caller, session, organizationId });
    if (!allows(member.rules, member.role, ["invitation", "cancel"]))
      throw new WireError("YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION");
    const actor = sessionActor(session);
    return withdrawInvitation(deps, trx, { id, organizationId, actor, caller });
  });

/**
 * Cancels an invitation, whatever its status. A membership that it led to stays. Throws `INVITATION_NOT_FOUND`, `MEMBER_NOT_FOUND` and
 * `YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION`.
 */
export const cancelInvitation: Handler<"cancelInvitation"> = async (deps, call) => {
  const { invitationId } = call.body;
  const existing = await findGivenInvitation(deps, invitationId);
  if (!existing) throw new WireError("INVITATION_NOT_FOUND");
  return {
    reply: showInvitation(deps, await cancel(deps, call, existing.invitation), invitationId),
  };
};

const limit = 100;

/**
 * Returns the newest hundred invitations of an organization, oldest first, under the ids that the member may know. Throws
 * `ORGANIZATION_ID_IS_REQUIRED`, and `YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION`.
 */
export const listInvitations: Handler<"listInvitations"> = async (
  deps,
  { query, caller, session },
) => {
  const organizationId = organizationOf(session, query.organizationId);
  if (!organizationId) throw new WireError("ORGANIZATION_ID_IS_REQUIRED");
  const { userId } = session.session;
  const list = await listInvitationsFor(deps.db, { organizationId, userId, limit });
  if (!list) throw new WireError("YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
  requireSecondFactor(deps, { caller, session }, list);
  const { role, invitations } = list;
  const rules = await rulesFor(deps, { organizationId, role });
  const reply = invitations.map((invitation) =>
    showInvitation(deps, invitation, idForMember(deps, { userId, role, rules }, invitation)),
  );
  return { reply };
};
