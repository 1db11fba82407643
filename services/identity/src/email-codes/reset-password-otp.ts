import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { checkPasswordLength } from "../passwords/check-password-length.ts";
import { replacePassword, type ReplacePasswordNeeds } from "../passwords/replace-password.ts";
import { findUser } from "../users/find-user.ts";
import { readEmail } from "../users/read-email.ts";
import { examineCode, type ExamineCodeNeeds } from "./examine-code.ts";

type ResetPasswordOtp = typeof operations.identity.resetPasswordOtp;
type Needs = ExamineCodeNeeds & ReplacePasswordNeeds & Pick<Deps, "passwords">;

/**
 * Sets a new password by a mailed code, which also proves the address. A user with an unproven address afterwards has no other sign-in
 * method.
 */
export const resetPasswordOtp = async (
  deps: Needs,
  { body, caller }: Call<ResetPasswordOtp>,
): Promise<Answer<OperationReply<ResetPasswordOtp>>> => {
  const options = deps.config.emailAndPassword;
  if (!options.resetPassword.enabled) throw new WireError("RESET_PASSWORD_ISNT_ENABLED");
  const email = readEmail(body.email);
  checkPasswordLength(body.password, options);
  const subject = { purpose: "forget-password", name: email } as const;
  const { spend } = await examineCode(deps, { subject, otp: body.otp, caller });
  const user = await findUser(deps, { email });
  const isReset =
    user &&
    (await replacePassword(deps, {
      userId: user.id,
      passwordHash: await deps.passwords.hash(body.password),
      ends: options.revokeSessionsOnPasswordReset ? "all" : "none",
      byMail: true,
      proves: email,
      action: "password.reset",
      actor: { kind: "user", id: user.id },
      caller,
      within: spend,
    }));
  if (!isReset) throw new WireError("INVALID_OTP");
  return { reply: { success: true } };
};
