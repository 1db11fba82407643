import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listOfferedInvitations } from "./queries.ts";
import { checkVerified } from "./recipient-rules.ts";
import { showInvitation } from "./show-invitation.ts";

type ListUserInvitations = typeof operations.organization.listUserInvitations;

const limit = 100;

/**
 * The newest hundred invitations that the caller may accept, oldest first. Throws
 * `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION`.
 */
export const listUserInvitations = async (
  { clock, config, db }: Pick<Deps, "clock" | "config" | "db">,
  { session: { user } }: Call<ListUserInvitations>,
): Promise<Answer<OperationReply<ListUserInvitations>>> => {
  checkVerified(config, user);
  const pending = { email: user.email.toLowerCase(), now: new Date(clock()), limit };
  const invitations = await listOfferedInvitations(db, pending);
  const reply = invitations.map((invitation) => {
    const { organizationName, organizationSlug } = invitation;
    return Object.assign(showInvitation(config, invitation), {
      organizationName,
      organizationSlug,
    });
  });
  return { reply };
};
