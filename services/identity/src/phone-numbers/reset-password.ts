import { WireError } from "@latchkey/contracts";
import { checkNewPassword } from "../access/check-password.ts";
import type { Handler } from "../deps.ts";
import { examineCode } from "../email-codes/examine-code.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { findUserByNumber, lockNumberOf } from "./queries.ts";
import { readNumber } from "./read-number.ts";
import { mayUseCodes, textCode } from "./text-code.ts";

const resetPurpose = "phone-password-reset";

/** Sends a code to choose a new password. The reply and the work are the same for unknown numbers. */
export const requestPhonePasswordReset: Handler<"requestPhonePasswordReset"> = async (
  deps,
  { body, caller },
) => {
  const to = await readNumber(deps, body.phoneNumber);
  const user = await findUserByNumber(deps, to.number);
  const effect = await textCode(deps, {
    to,
    purpose: resetPurpose,
    userId: user?.id,
    isDue: user !== undefined && mayUseCodes(deps, user),
    requestedBy: undefined,
    actor: { kind: "anonymous" },
    caller,
  });
  return { reply: { status: true }, effect };
};

/** Sets a new password by a code. The second factor stays, and nobody is signed in. */
export const resetPhonePassword: Handler<"resetPhonePassword"> = async (deps, { body, caller }) => {
  const options = deps.config.emailAndPassword;
  const { number } = await readNumber(deps, body.phoneNumber);
  await checkNewPassword(deps, body.newPassword);
  const subject = { purpose: resetPurpose, name: number } as const;
  const { spend } = await examineCode(deps, { subject, otp: body.otp, caller });
  const user = await findUserByNumber(deps, number);
  if (!user || !mayUseCodes(deps, user)) throw new WireError("INVALID_OTP");
  const isReset = await replacePassword(deps, {
    userId: user.id,
    passwordHash: await deps.passwords.hash(body.newPassword),
    ends: options.revokeSessionsOnPasswordReset ? "all" : "none",
    action: "password.reset",
    actor: { kind: "user", id: user.id },
    caller,
    within: async (trx) => {
      if (!(await lockNumberOf(trx, { userId: user.id, phoneNumber: number })))
        throw new WireError("INVALID_OTP"); // has lost the number meanwhile
      await spend(trx);
    },
  });
  if (!isReset) throw new WireError("INVALID_OTP");
  return { reply: { status: true } };
};
