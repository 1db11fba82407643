import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { mayInviteTo } from "../roles/role-rules.ts";
import { findUsers } from "../users/find-users.ts";
import { findGivenPending } from "./find-given-invitation.ts";
import { findOffer, updateOpenedBy } from "./offer-queries.ts";
import { checkRecipient } from "./recipient-rules.ts";
import { showMailedInvitation } from "./show-invitation.ts";

type GetInvitation = typeof operations.organization.getInvitation;
type Needs = Pick<Deps, "clock" | "config" | "db" | "identity" | "ring">;

/**
 * Returns a pending invitation of the caller with its inviter. Records that a caller with an unverified address opened it by the mailed id,
 * so that their list shows it. Throws `OFFERED_INVITATION_NOT_FOUND`, also if the inviter may no longer invite to its roles. Throws
 * `YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION`, `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION` and
 * `INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION`.
 */
export const getInvitation = async (
  deps: Needs,
  { query, session: { user }, caller }: Call<GetInvitation>,
): Promise<Answer<OperationReply<GetInvitation>>> => {
  const found = await findGivenPending(deps, query.id);
  if (!found) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  checkRecipient(deps.config, user, found);
  const { invitation } = found;
  const { id, inviterId, role } = invitation;
  const offer = await findOffer(deps.db, invitation, new Date(deps.clock()));
  if (!offer) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  const { organizationName, organizationSlug, inviterRole, isInviterBarred } = offer;
  if (inviterRole === null)
    throw new WireError("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  if (isInviterBarred || !mayInviteTo(deps.config.organization, inviterRole, role))
    throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  if (!user.emailVerified) await updateOpenedBy(deps.db, { id, userId: user.id });
  const [inviter] = await findUsers(deps, caller, { ids: [inviterId] });
  if (!inviter) throw new WireError("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  const shown = showMailedInvitation(deps, invitation);
  return { reply: { ...shown, organizationName, organizationSlug, inviterEmail: inviter.email } };
};
