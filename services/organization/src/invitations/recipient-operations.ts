import { type Caller, type FullUser, type operations, WireError } from "@latchkey/contracts";
import { appendAudit, sessionActor } from "@latchkey/service-kit/audit";
import type { Call } from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import type { OrganizationConfig } from "../config.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import { beginMembership } from "../members/change-members.ts";
import { lockMemberships, type MemberRow, showMember } from "../rows/members.ts";
import { findSecondFactorFrom, lockOrganization } from "../rows/organizations.ts";
import { mayInviteTo, rulesFor } from "../roles/role-rules.ts";
import {
  chooseAsMember,
  chooseOrganizationIfPossible as choose,
} from "../sessions/active-organization.ts";
import { readTeamLimits, type TeamLimits } from "../teams/change-teams.ts";
import { lacksSecondFactor } from "../access/require-second-factor.ts";
import { findUsers } from "../users/users.ts";
import { isVoid } from "./check-inviter.ts";
import { findGivenPending, type GivenInvitation, showMailedInvitation } from "./invitation-ids.ts";
import { findOffer, listOfferedInvitations, updateOpenedBy } from "./offer-queries.ts";
import {
  decideInvitation,
  findInvitationById,
  type InvitationRow,
  teamIdsOf,
} from "../rows/invitations.ts";

type Rules = Pick<OrganizationConfig, "organization">;

const verificationRequired = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";

/** Refuses a user with an unverified address if the options require a verified one. */
const checkVerified = ({ organization }: Rules, user: FullUser): void => {
  if (organization.requireEmailVerificationOnInvitation && !user.emailVerified)
    throw new WireError(verificationRequired);
};

/**
 * Refuses everybody but the recipient. Either the address is verified, or the id came from the mail to it. Otherwise an attacker who learns
 * an id could register the address and take its owner's place.
 */
const checkRecipient = (
  rules: Rules,
  user: FullUser,
  { invitation, isMailed }: GivenInvitation,
): void => {
  if (user.email.toLowerCase() !== invitation.email)
    throw new WireError("YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION");
  checkVerified(rules, user);
  if (!isMailed && !user.emailVerified) throw new WireError(verificationRequired);
};

const limit = 100;

/**
 * Returns the newest hundred invitations that the caller may accept, oldest first. A caller with an unverified address sees only those that
 * they opened by their mailed ids. Throws `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION`.
 */
export const listUserInvitations: Handler<"listUserInvitations"> = async (
  deps,
  { session: { user } },
) => {
  checkVerified(deps.config, user);
  const invitations = await listOfferedInvitations(deps.db, {
    email: user.email.toLowerCase(),
    openedBy: user.emailVerified ? undefined : user.id,
    now: new Date(deps.clock()),
    limit,
  });
  const offered = await Promise.all(
    invitations.map(async (invitation) => {
      const { organizationId, inviterRole, role } = invitation;
      const rules = await rulesFor(deps, { organizationId, role: `${inviterRole},${role}` });
      return mayInviteTo(rules, inviterRole, role) ? [invitation] : [];
    }),
  );
  const reply = offered.flat().map((invitation) => {
    const { organizationName, organizationSlug } = invitation;
    return Object.assign(showMailedInvitation(deps, invitation), {
      organizationName,
      organizationSlug,
    });
  });
  return { reply };
};

/** Returns the organization of a pending invitation. Throws if the inviter may no longer invite to its roles. */
const readOffer = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  invitation: InvitationRow,
): Promise<{ organizationName: string; organizationSlug: string }> => {
  const offer = await findOffer(deps.db, invitation, new Date(deps.clock()));
  if (!offer) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  const { organizationName, organizationSlug, inviterRole, isInviterBarred } = offer;
  if (inviterRole === null)
    throw new WireError("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  const { organizationId, role } = invitation;
  const rules = await rulesFor(deps, { organizationId, role: `${inviterRole},${role}` });
  if (isInviterBarred || !mayInviteTo(rules, inviterRole, role))
    throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  return { organizationName, organizationSlug };
};

const readInviterEmail = async (
  deps: Pick<Deps, "identity">,
  { inviterId }: InvitationRow,
  caller: Caller,
): Promise<string> => {
  const [inviter] = await findUsers(deps, caller, { ids: [inviterId] });
  if (!inviter) throw new WireError("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  return inviter.email;
};

/**
 * Returns a pending invitation of the caller with its inviter. Records that a caller with an unverified address opened it by the mailed id,
 * so that their list shows it. Throws `OFFERED_INVITATION_NOT_FOUND`, also if the inviter may no longer invite to its roles. Throws
 * `YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION`, `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION` and
 * `INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION`.
 */
export const getInvitation: Handler<"getInvitation"> = async (
  deps,
  { query, session: { user }, caller },
) => {
  const pending = await findGivenPending(deps, query.id);
  if (!pending) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  checkRecipient(deps.config, user, pending);
  const { invitation } = pending;
  const offer = await readOffer(deps, invitation);
  if (!user.emailVerified) await updateOpenedBy(deps.db, { id: invitation.id, userId: user.id });
  const inviterEmail = await readInviterEmail(deps, invitation, caller);
  return { reply: { ...showMailedInvitation(deps, invitation), ...offer, inviterEmail } };
};

/**
 * Returns a pending invitation to the holder of its mailed id, who learns what the mail says. The id from a list shows nothing. Throws
 * `OFFERED_INVITATION_NOT_FOUND` and `INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION`.
 */
export const openInvitation: Handler<"openInvitation"> = async (deps, { query, caller }) => {
  const pending = await findGivenPending(deps, query.id);
  if (!pending?.isMailed) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  const { invitation } = pending;
  const { email, role, expiresAt } = invitation;
  const { organizationName } = await readOffer(deps, invitation);
  const inviterEmail = await readInviterEmail(deps, invitation, caller);
  return { reply: { email, role, expiresAt, organizationName, inviterEmail } };
};

type AcceptInvitation = typeof operations.organization.acceptInvitation;

interface Accepted {
  invitation: InvitationRow;
  member: MemberRow;
}

/** Returns the teams that the recipient of an invitation joins. */
const teamsToJoin = (
  { config: { organization } }: Pick<Deps, "config">,
  invitation: InvitationRow,
): string[] => (organization.teams.enabled ? teamIdsOf(invitation) : []);

const take = async (
  trx: Transaction<Tables>,
  { id, now }: { id: string; now: Date },
): Promise<InvitationRow> => {
  const accepted = await decideInvitation(trx, { id, status: "accepted", now });
  if (accepted) return accepted;
  const isThere = await findInvitationById(trx, id);
  throw new WireError(isThere ? "INVITATION_NOT_FOUND" : "FAILED_TO_RETRIEVE_INVITATION");
};

/** Makes the caller a member. A refusal rolls everything back, so that the invitation stays pending. */
const join = (
  deps: Deps,
  { session, caller }: Call<AcceptInvitation>,
  offered: {
    invitation: InvitationRow;
    /** The parts of the new member that do not follow from the invitation. */
    made: Pick<MemberRow, "extra" | "id">;
    teamLimits: TeamLimits;
  },
): Promise<Accepted> =>
  deps.db.transaction().execute(async (trx) => {
    const { id, organizationId } = offered.invitation;
    const { userId } = session.session;
    await lockMemberships(trx, userId);
    await lockOrganization(trx, organizationId);
    const now = new Date(deps.clock());
    const invitation = await take(trx, { id, now });
    if (await isVoid(deps, trx, invitation)) throw new WireError("INVITATION_NOT_FOUND");
    const { role } = invitation;
    const [teamId = null, ...moreTeamIds] = teamsToJoin(deps, invitation);
    const member = { ...offered.made, organizationId, userId, role, teamId, createdAt: now };
    const actor = sessionActor(session);
    await beginMembership(deps, trx, {
      member,
      moreTeamIds,
      teamLimits: offered.teamLimits,
      actor,
      caller,
    });
    await appendAudit(trx, deps, {
      actor,
      subject: { kind: "organization", id: organizationId },
      action: "invitation.accepted",
      caller,
      after: { id },
    });
    return { invitation, member };
  });

/**
 * Makes the caller a member of the inviting organization and makes it the active one of their session, unless the session lacks a second
 * factor that the organization requires. Throws `INVITATION_NOT_FOUND`, also
 * if the inviter may no longer invite to its roles. Throws `YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION`,
 * `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION`, `USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION`,
 * `ORGANIZATION_MEMBERSHIP_LIMIT_REACHED` and `TEAM_MEMBER_LIMIT_REACHED`. Throws `FAILED_TO_RETRIEVE_INVITATION` if the invitation was
 * deleted in the meantime.
 */
export const acceptInvitation: Handler<"acceptInvitation"> = async (deps, call) => {
  const { body, session } = call;
  const offer = await findGivenPending(deps, body.invitationId);
  if (!offer) throw new WireError("INVITATION_NOT_FOUND");
  checkRecipient(deps.config, session.user, offer);
  const { organizationId } = offer.invitation;
  const teamLimits = await readTeamLimits(deps, teamsToJoin(deps, offer.invitation), {
    organizationId,
    session: session.session,
  });
  // Before the change, because the call is repeated if the session does not say.
  const secondFactorFrom = await findSecondFactorFrom(deps.db, organizationId);
  const mayAct = !lacksSecondFactor(deps, call, { secondFactorFrom });
  const made = { id: await deps.newId("member"), extra: await deps.fields.member.defaults() };
  const offered = { invitation: offer.invitation, made, teamLimits };
  const { invitation, member } = await join(deps, call, offered);
  const { changed = {} } = mayAct
    ? await chooseAsMember(deps, call, {
        organizationId,
        teamId: member.teamId ?? undefined,
        choose,
      })
    : {};
  const reply = {
    invitation: showMailedInvitation(deps, invitation),
    member: showMember(deps, member),
  };
  return { reply, ...changed };
};

/**
 * Declines an invitation of the caller. Throws `OFFERED_INVITATION_NOT_FOUND`, `YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION` and
 * `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION`.
 */
export const rejectInvitation: Handler<"rejectInvitation"> = async (
  deps,
  { body, session, caller },
) => {
  const offer = await findGivenPending(deps, body.invitationId);
  if (!offer) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  checkRecipient(deps.config, session.user, offer);
  const pending = { id: offer.invitation.id, now: new Date(deps.clock()) };
  const invitation = await deps.db.transaction().execute(async (trx) => {
    const rejected = await decideInvitation(trx, { ...pending, status: "rejected" });
    if (!rejected) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "organization", id: rejected.organizationId },
      action: "invitation.rejected",
      caller,
      after: { id: rejected.id },
    });
    return rejected;
  });
  return { reply: { invitation: showMailedInvitation(deps, invitation), member: null } };
};
