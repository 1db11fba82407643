import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { mayInviteTo } from "../roles/role-rules.ts";
import { listOfferedInvitations } from "./offer-queries.ts";
import { checkVerified } from "./recipient-rules.ts";
import { showMailedInvitation } from "./show-invitation.ts";

type ListUserInvitations = typeof operations.organization.listUserInvitations;

const limit = 100;

/**
 * Returns the newest hundred invitations that the caller may accept, oldest first. A caller with an unverified address sees only those that
 * they opened by their mailed ids. Throws `EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION`.
 */
export const listUserInvitations = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  { session: { user } }: Call<ListUserInvitations>,
): Promise<Answer<OperationReply<ListUserInvitations>>> => {
  checkVerified(deps.config, user);
  const invitations = await listOfferedInvitations(deps.db, {
    email: user.email.toLowerCase(),
    openedBy: user.emailVerified ? undefined : user.id,
    now: new Date(deps.clock()),
    limit,
  });
  const { organization } = deps.config;
  const reply = invitations
    .filter(({ inviterRole, role }) => mayInviteTo(organization, inviterRole, role))
    .map((invitation) => {
      const { organizationName, organizationSlug } = invitation;
      return Object.assign(showMailedInvitation(deps, invitation), {
        organizationName,
        organizationSlug,
      });
    });
  return { reply };
};
