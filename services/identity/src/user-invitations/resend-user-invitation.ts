import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, applicationUrl, type Call } from "@latchkey/service-kit";
import { adminActor } from "../admin/admin-actor.ts";
import { checkReach, recheckReach } from "../admin/reach.ts";
import { dropTokens, resetPasswordToken } from "../one-time-tokens/single-use-token.ts";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/mail-reset-link.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { lockUser } from "../users/queries.ts";
import { checkInvitationsOn } from "./check-invitations-on.ts";
import { updateInvited } from "./queries.ts";

const { permission } = operations.identity.adminResendUserInvitation;
type AdminResendUserInvitation = typeof operations.identity.adminResendUserInvitation;

/**
 * Mails an invited user a new link, which replaces all earlier ones. Throws `INVITATION_NOT_FOUND` for a user who has chosen a
 * password, or was not invited.
 */
export const resendUserInvitation = async (
  deps: MailResetLinkNeeds,
  call: Call<AdminResendUserInvitation>,
): Promise<Answer<OperationReply<AdminResendUserInvitation>>> => {
  const { params, body, caller } = call;
  checkInvitationsOn(deps);
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  const { id: userId, email } = user;
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const recheck = recheckReach(deps, call, act);
  const isMailed = await mailResetLink(deps, {
    purpose: "user-invitation",
    email,
    userId,
    redirectTo: body?.redirectTo || applicationUrl(deps.config.appURL, caller) || "/",
    actor: adminActor(call),
    caller,
    limit: { countsFor: "admins", beyond: "refuse" },
    within: async (trx) => {
      await recheck(trx);
      // A concurrent use of an earlier link waits for this lock, and then finds its link deleted.
      await lockUser(trx, userId);
      if (!(await updateInvited(trx, { userId, now: new Date(deps.clock()) })))
        throw new WireError("INVITATION_NOT_FOUND");
      await dropTokens(trx, userId, resetPasswordToken);
    },
  });
  if (!isMailed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile, or the address has changed
  return { reply: { status: true } };
};
