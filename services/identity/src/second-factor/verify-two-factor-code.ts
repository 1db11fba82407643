import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { findVerifier, type FindVerifierNeeds } from "./find-verifier.ts";
import { guess, type Guess, type GuessNeeds } from "./guess.ts";
import { deleteMailedCode, endTriedCode, takeMailedCodeTry } from "./mailed-code-queries.ts";
import { isCodeOfMac, requireMailedCodes, subjectOf } from "./mailed-codes.ts";
import { passSecondFactor } from "./pass-second-factor.ts";
import { requireStrongVerifier } from "./require-strong.ts";
import { turnOnByCode, type TurnOnNeeds } from "./turn-on.ts";

const declared = operations.identity.verifyTwoFactorCode;
type VerifyTwoFactorCode = typeof declared;
type Needs = FindVerifierNeeds & GuessNeeds & TurnOnNeeds;

/** Returns how a mailed code takes its own tries. */
const codeTries = (deps: Needs, subject: string): Pick<Guess<string>, "takeOwn" | "usedUp"> => {
  const max = deps.config.twoFactor.otpOptions.allowedAttempts;
  const tried = () => ({ subject, max, now: new Date(deps.clock()) });
  return {
    takeOwn: (trx) => takeMailedCodeTry(trx, tried()),
    usedUp: async () =>
      new WireError(
        (await endTriedCode(deps.db, tried()))
          ? "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"
          : "OTP_HAS_EXPIRED",
      ),
  };
};

/** Verifies a mailed code. If the second factor is off, the code turns it on. */
export const verifyTwoFactorCode = async (
  deps: Needs,
  { body, caller }: Call<VerifyTwoFactorCode>,
): Promise<Answer<Required<OperationReply<VerifyTwoFactorCode>>>> => {
  if (!deps.config.twoFactor.otpOptions.enabled) throw new WireError("OTP_NOT_CONFIGURED");
  const verifier = await findVerifier(deps, declared, { caller, body });
  const { user } = verifier;
  if (!user.twoFactorEnabled) requireStrongVerifier(deps, verifier);
  await requireMailedCodes(deps, verifier);
  const { id: userId } = user;
  const subject = subjectOf(verifier);
  const { code, trustDevice: trustsDevice } = body;
  const guessed = {
    user,
    caller,
    method: "otp",
    wrong: "INVALID_CODE",
    ...codeTries(deps, subject),
  } as const;
  const { reply, effect } = await guess(deps, guessed, async (codeMac) => {
    if (!isCodeOfMac(deps.ring, { subject, userId, code }, codeMac)) return undefined;
    const use = (trx: Transaction<Tables>) => deleteMailedCode(trx, { subject, codeMac });
    return user.twoFactorEnabled
      ? passSecondFactor(deps, verifier, { caller, method: "otp", trustsDevice, use })
      : turnOnByCode(deps, verifier, { caller, method: "otp", trustsDevice, use });
  });
  return { reply: reply as Required<typeof reply>, effect }; // only backup codes may start no session
};
