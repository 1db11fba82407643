import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, sessionActor } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { addMemberInTransaction } from "../members/add-member-in-transaction.ts";
import { countTeamMembers, lockMemberships, type MemberRow } from "../members/queries.ts";
import { showMember } from "../members/show-member.ts";
import { lockOrganization } from "../organizations/queries.ts";
import { chooseAsMember } from "../sessions/choose-as-member.ts";
import { chooseOrganizationIfPossible as choose } from "../sessions/choose-organization.ts";
import { teamLimit } from "../teams/team-limit.ts";
import { findSecondFactorFrom } from "../two-factor/queries.ts";
import { lacksSecondFactor } from "../two-factor/require-second-factor.ts";
import { isVoid } from "./check-inviter.ts";
import { findGivenPending } from "./find-given-invitation.ts";
import { decideInvitation, findInvitationById, type InvitationRow } from "./queries.ts";
import { checkRecipient } from "./recipient-rules.ts";
import { showMailedInvitation } from "./show-invitation.ts";

type AcceptInvitation = typeof operations.organization.acceptInvitation;
type Needs = Pick<Deps, "clock" | "config" | "db" | "identity" | "logger" | "newId" | "ring">;

interface Accepted {
  invitation: InvitationRow;
  member: MemberRow;
}

const readTeamLimit = async (
  deps: Needs,
  { session: { session } }: Call<AcceptInvitation>,
  { organizationId, teamId }: InvitationRow,
): Promise<number | undefined> =>
  teamId !== null && deps.config.organization.teams.enabled
    ? teamLimit(deps, { teamId, organizationId, session })
    : undefined;

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
  deps: Needs,
  { session, caller }: Call<AcceptInvitation>,
  offered: { invitation: InvitationRow; memberId: string; limit: number | undefined },
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
    const teamId = deps.config.organization.teams.enabled ? invitation.teamId : null;
    const member = { id: offered.memberId, organizationId, userId, role, teamId, createdAt: now };
    const actor = sessionActor(session);
    await addMemberInTransaction(deps, trx, { member, actor, caller });
    const { limit } = offered;
    if (teamId !== null && limit !== undefined && (await countTeamMembers(trx, teamId)) > limit)
      throw new WireError("TEAM_MEMBER_LIMIT_REACHED");
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
export const acceptInvitation = async (
  deps: Needs,
  call: Call<AcceptInvitation>,
): Promise<Answer<OperationReply<AcceptInvitation>>> => {
  const { body, session } = call;
  const found = await findGivenPending(deps, body.invitationId);
  if (!found) throw new WireError("INVITATION_NOT_FOUND");
  checkRecipient(deps.config, session.user, found);
  const limit = await readTeamLimit(deps, call, found.invitation);
  const { organizationId } = found.invitation;
  // Before the change, because the call is repeated if the session does not say.
  const secondFactorFrom = await findSecondFactorFrom(deps.db, organizationId);
  const mayAct = !lacksSecondFactor(deps, call, { secondFactorFrom });
  const memberId = await deps.newId("member");
  const offered = { invitation: found.invitation, memberId, limit };
  const { invitation, member } = await join(deps, call, offered);
  const { changed = {} } = mayAct
    ? await chooseAsMember(deps, call, { organizationId, choose })
    : {};
  const reply = {
    invitation: showMailedInvitation(deps, invitation),
    member: showMember(deps.config, member),
  };
  return { reply, ...changed };
};
