import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, applicationUrl, type Call } from "@latchkey/service-kit";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/mail-reset-link.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { adminActor } from "./admin-actor.ts";
import { checkReach, recheckReach } from "./reach.ts";

const { permission } = operations.identity.adminSendPasswordReset;
type AdminSendPasswordReset = typeof operations.identity.adminSendPasswordReset;

/** Mails a user the reset link that they could also request themselves. Rejects an address that receives no mail. */
export const sendPasswordReset = async (
  deps: MailResetLinkNeeds,
  call: Call<AdminSendPasswordReset>,
): Promise<Answer<OperationReply<AdminSendPasswordReset>>> => {
  const { params, body, caller } = call;
  if (!deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const act = { permission, target: user };
  checkReach(deps, call, act);
  const { id: userId, email } = user;
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const isMailed = await mailResetLink(deps, {
    email,
    userId,
    redirectTo: body?.redirectTo || applicationUrl(deps.config.appURL, caller) || "/",
    actor: adminActor(call),
    caller,
    limit: { countsFor: "admins", beyond: "refuse" },
    within: recheckReach(deps, call, act),
  });
  if (!isMailed) throw new WireError("USER_NOT_FOUND"); // deleted meanwhile, or the address has changed
  return { reply: { status: true } };
};
