import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, appendEvent, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findVerifier, type FindVerifierNeeds } from "./find-verifier.ts";
import { refuseLocked } from "./guess.ts";
import { replaceMailedCode } from "./mailed-code-queries.ts";
import { macOfCode, newMailedCode, requireMailedCodes, subjectOf } from "./mailed-codes.ts";
import { requireStrongVerifier } from "./require-strong.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

const declared = operations.identity.sendTwoFactorCode;
type SendTwoFactorCode = typeof declared;
type Needs = FindVerifierNeeds & Pick<Deps, "limits" | "newEventId" | "wakeRelay">;

const minuteMilliseconds = 60_000;

/** Mails a code that replaces the earlier one of the same sign-in or session. */
export const sendTwoFactorCode = async (
  deps: Needs,
  { body, caller }: Call<SendTwoFactorCode>,
): Promise<Answer<OperationReply<SendTwoFactorCode>>> => {
  const { enabled, digits, period } = deps.config.twoFactor.otpOptions;
  if (!enabled) throw new WireError("OTP_NOT_CONFIGURED");
  const verifier = await findVerifier(deps, declared, { caller, body });
  const { id: userId, email, name, twoFactorEnabled } = verifier.user;
  if (!twoFactorEnabled) requireStrongVerifier(deps, verifier);
  await requireMailedCodes(deps, verifier);
  await refuseLocked(deps, userId);
  const code = newMailedCode(digits);
  const subject = subjectOf(verifier);
  const codeMac = macOfCode(deps.ring, { subject, userId, code });
  const expiresAt = new Date(deps.clock() + period * minuteMilliseconds);
  await deps.db.transaction().execute(async (trx) => {
    await deps.limits.countSignInMail(trx, { email, countsFor: "users", beyond: "refuse" });
    await replaceMailedCode(trx, { subject, userId, codeMac, expiresAt });
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, code, expiresAt: expiresAt.toISOString(), ...language };
    await appendEvent(trx, deps, { name: "two-factor-code.requested", data });
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "two-factor-code.requested",
      caller,
    });
  });
  deps.wakeRelay();
  return { reply: { status: true } };
};
