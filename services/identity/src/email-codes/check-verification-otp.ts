import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { findUser } from "../users/find-user.ts";
import { readEmail } from "../users/read-email.ts";
import { examineCode, type ExamineCodeNeeds } from "./examine-code.ts";

type CheckVerificationOtp = typeof operations.identity.checkVerificationOtp;

/** Returns whether a code is right, for screens of two steps. A right code stays valid and its earlier tries stay counted. */
export const checkVerificationOtp = async (
  deps: ExamineCodeNeeds,
  { body, caller }: Call<CheckVerificationOtp>,
): Promise<Answer<OperationReply<CheckVerificationOtp>>> => {
  const email = readEmail(body.email);
  const { type: purpose, otp } = body;
  if (purpose === "change-email") throw new WireError("INVALID_OTP_TYPE");
  const { giveBack } = await examineCode(deps, { subject: { purpose, name: email }, otp, caller });
  await giveBack();
  if (!(await findUser(deps, { email }))) throw new WireError("USER_NOT_FOUND", { status: 400 });
  return { reply: { success: true } };
};
