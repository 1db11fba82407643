import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { findUser } from "../users/find-user.ts";
import { mailResetLink, type MailResetLinkNeeds } from "./mail-reset-link.ts";

type RequestPasswordReset = typeof operations.identity.requestPasswordReset;
type ForgetPassword = typeof operations.identity.forgetPassword;

const message = "If this email exists in our system, check your email for the reset link";

/**
 * Mails a link to choose a new password. Status, body and work are the same whether the address is known, unknown or over
 * its limit of mails. Neither reply nor time thus reveals which it is.
 */
export const requestPasswordReset = async (
  deps: MailResetLinkNeeds,
  { body, caller }: Call<RequestPasswordReset> | Call<ForgetPassword>,
): Promise<Answer<OperationReply<RequestPasswordReset>>> => {
  if (!deps.config.emailAndPassword.resetPassword.enabled)
    throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const email = body.email.toLowerCase();
  const user = await findUser(deps, { email });
  await mailResetLink(deps, {
    email,
    userId: user?.id,
    redirectTo: body.redirectTo,
    actor: { kind: "anonymous" },
    caller,
    limit: { countsFor: "users", beyond: "drop" },
  });
  return { reply: { status: true, message } };
};
