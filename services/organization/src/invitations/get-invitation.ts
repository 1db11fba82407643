import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUsers } from "../users/find-users.ts";
import { findOfferedInvitation } from "./queries.ts";
import { checkRecipient } from "./recipient-rules.ts";
import { showInvitation } from "./show-invitation.ts";

type GetInvitation = typeof operations.organization.getInvitation;
type Needs = Pick<Deps, "clock" | "config" | "db" | "identity">;

/**
 * A pending invitation of the caller's, with who sent it. Throws `OFFERED_INVITATION_NOT_FOUND`,
 * `YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION`,
 * `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION` and
 * `INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION`.
 */
export const getInvitation = async (
  deps: Needs,
  { query, session, caller }: Call<GetInvitation>,
): Promise<Answer<OperationReply<GetInvitation>>> => {
  const now = new Date(deps.clock());
  const found = await findOfferedInvitation(deps.db, { id: query.id, now });
  if (!found) throw new WireError("OFFERED_INVITATION_NOT_FOUND");
  checkRecipient(deps.config, session.user, found);
  const [inviter] =
    found.inviterMemberId === null ? [] : await findUsers(deps, caller, { ids: [found.inviterId] });
  if (!inviter) throw new WireError("INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION");
  const { organizationName, organizationSlug } = found;
  const shown = showInvitation(deps.config, found);
  return { reply: { ...shown, organizationName, organizationSlug, inviterEmail: inviter.email } };
};
