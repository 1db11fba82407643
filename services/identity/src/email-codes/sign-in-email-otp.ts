import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { finishMailedSignIn } from "../mailed-sign-in/finish-mailed-sign-in.ts";
import {
  resolveMailedUser,
  type ResolveMailedNeeds,
} from "../mailed-sign-in/resolve-mailed-user.ts";
import type { FinishSignInNeeds } from "../sign-in/finish-sign-in.ts";
import { nameAttemptedUser } from "../sign-in/attempted-user.ts";
import { findUser } from "../users/find-user.ts";
import { readEmail } from "../users/read-email.ts";
import { examineCode, type ExamineCodeNeeds } from "./examine-code.ts";
import { checkSignUp, proposeSignUp } from "./read-sign-up.ts";

type SignInEmailOtp = typeof operations.identity.signInEmailOtp;
type Needs = ExamineCodeNeeds & FinishSignInNeeds & ResolveMailedNeeds;

/** Examines a code. Names the user of the address if it is refused: the look-up is the same for an unknown one. */
const examine: typeof examineCode = async (deps, attempt) => {
  try {
    return await examineCode(deps, attempt);
  } catch (error) {
    const user = await findUser(deps, { email: attempt.subject.name });
    if (user) nameAttemptedUser(attempt.caller, user.id);
    throw error;
  }
};

/** Signs in by a mailed code, and registers an unknown address. A refused registration does not use the code up. */
export const signInEmailOtp = async (
  deps: Needs,
  { body, caller }: Call<SignInEmailOtp>,
): Promise<Answer<OperationReply<SignInEmailOtp>>> => {
  const email = readEmail(body.email);
  await checkSignUp(deps, body);
  const subject = { purpose: "sign-in", name: email } as const;
  const { consume } = await examine(deps, { subject, otp: body.otp, caller });
  const resolved = await resolveMailedUser(deps, {
    email,
    caller,
    consume,
    propose: () => {
      if (deps.config.emailOTP.disableSignUp) throw new WireError("INVALID_OTP");
      return proposeSignUp(deps, { body, email });
    },
  });
  if (!resolved) throw new WireError("INVALID_OTP");
  const { user } = resolved;
  const outcome = await finishMailedSignIn(deps, { user, method: "email-otp", caller });
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { token, user: shown } = outcome.session;
  return { reply: { token, user: shown }, effect };
};
