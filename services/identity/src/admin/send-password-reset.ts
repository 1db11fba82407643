import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { mailResetLink, type MailResetLinkNeeds } from "../passwords/mail-reset-link.ts";
import { findUser } from "../users/find-user.ts";
import { isPlaceholderEmail } from "../users/placeholder-email.ts";
import { adminActor } from "./admin-actor.ts";

type AdminSendPasswordReset = typeof operations.identity.adminSendPasswordReset;

/** Mails a user the link that they could have asked for themself. Refuses where no mail can go to their address. */
export const sendPasswordReset = async (
  deps: MailResetLinkNeeds,
  call: Call<AdminSendPasswordReset>,
): Promise<Answer<OperationReply<AdminSendPasswordReset>>> => {
  const { params, body, caller } = call;
  if (!deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const user = await findUser(deps, params);
  if (!user) throw new WireError("USER_NOT_FOUND");
  const { id: userId, email } = user;
  if (isPlaceholderEmail(email)) throw new WireError("INVALID_EMAIL");
  const isMailed = await mailResetLink(deps, {
    email,
    userId,
    redirectTo: body?.redirectTo || "/",
    actor: adminActor(call),
    caller,
  });
  if (!isMailed) throw new WireError("USER_NOT_FOUND"); // gone meanwhile, or reached at another address
  return { reply: { status: true } };
};
