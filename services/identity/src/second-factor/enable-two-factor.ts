import { type Caller, type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findUser } from "../users/find-user.ts";
import { appUri } from "./app-secret.ts";
import { listBackupCodes } from "./backup-code-queries.ts";
import { matchBackupCode, takeBackupCode } from "./backup-codes.ts";
import { checkFactorPassword, type CheckFactorPasswordNeeds } from "./check-factor-password.ts";
import { findVerifier, type Verifier } from "./find-verifier.ts";
import { challengeTries, guess } from "./guess.ts";
import { mayTurnMailedCodesOn } from "./mailed-codes.ts";
import { confirmApp, confirmedAppOf, findUnusedStep, prepareApp } from "./prepared-app.ts";
import { findTwoFactor, lockTwoFactor, resetGuesses, takeStep } from "./queries.ts";
import { requireStrongVerifier } from "./require-strong.ts";
import { turnOnInSession } from "./turn-on.ts";
import type { VerifyTotpNeeds } from "./verify-totp.ts";

const declared = operations.identity.enableTwoFactor;
type EnableTwoFactor = typeof declared;
type Needs = VerifyTotpNeeds & CheckFactorPasswordNeeds & Pick<Deps, "wakeRelay">;
type EnableAnswer = Answer<OperationReply<EnableTwoFactor>>;

/**
 * Checks whether the caller may prepare an app. An app that is on is replaced only by one of its codes or a backup code, which is used
 * up. Of users with codes by mail alone, a session that is not strong needs a backup code.
 */
const checkPresentFactor = async (
  deps: Needs,
  verifier: Verifier,
  { caller, code }: { caller: Caller; code: string | undefined },
): Promise<void> => {
  const { user } = verifier;
  const { id: userId } = user;
  const confirmed = confirmedAppOf(deps, await findTwoFactor(deps.db, userId));
  if (confirmed && code === undefined) throw new WireError("TOTP_ALREADY_ENABLED");
  if (code === undefined) {
    if (user.twoFactorEnabled) requireStrongVerifier(deps, verifier);
    return;
  }
  if (!user.twoFactorEnabled) return;
  const stored = await listBackupCodes(deps.db, userId);
  const tries = challengeTries(deps, verifier);
  const guessed = { user, caller, method: "totp", wrong: "INVALID_CODE", ...tries } as const;
  await guess(deps, guessed, async () => {
    const step = confirmed && findUnusedStep(deps, confirmed.secret, { ...confirmed, code });
    const id = matchBackupCode(deps.ring, userId, { code, stored });
    return deps.db.transaction().execute(async (trx) => {
      await lockTwoFactor(trx, userId);
      const isUsed =
        (confirmed && step !== undefined
          ? await takeStep(trx, { ...confirmed, userId, step })
          : false) ||
        (id !== undefined && (await takeBackupCode(deps, trx, { id, user, caller })));
      if (isUsed) await resetGuesses(trx, userId);
      return isUsed || undefined;
    });
  });
  deps.wakeRelay();
};

/** Prepares an app. With `skipVerificationOnEnable` it is turned on at once. */
const enableApp = async (
  deps: Needs,
  verifier: Verifier,
  { body: { code, issuer }, caller }: Call<EnableTwoFactor>,
): Promise<EnableAnswer> => {
  const { totpOptions, skipVerificationOnEnable } = deps.config.twoFactor;
  if (totpOptions.disable)
    throw new WireError("TOTP_NOT_CONFIGURED", { message: "TOTP is not available" });
  await checkPresentFactor(deps, verifier, { caller, code });
  const { user } = verifier;
  const { id: userId } = user;
  const { backupCodes, ...app } = await deps.db.transaction().execute(async (trx) => {
    await lockTwoFactor(trx, userId);
    return prepareApp(deps, trx, { userId, issuer });
  });
  const reply = { method: "totp" as const, totpURI: appUri(deps, user, app), backupCodes };
  // A sign-in that waits must show a first code anyway.
  if (!skipVerificationOnEnable || verifier.kind === "challenge") return { reply };
  const turnedOn = await turnOnInSession(deps, verifier, {
    caller,
    proof: { methods: [] },
    use: (trx) => confirmApp(deps, trx, { userId, app, step: -1 }),
  });
  if (!turnedOn) throw new WireError("TOTP_ALREADY_ENABLED"); // another request came first
  return { reply, effect: turnedOn.effect };
};

/**
 * Turns codes by mail on. A sign-in that waits must enter a first code. So must a user with an unproven address, who may not be able to
 * read its mails.
 */
const enableMailedCodes = async (
  deps: Needs,
  verifier: Verifier,
  { caller }: Call<EnableTwoFactor>,
): Promise<EnableAnswer> => {
  const { user } = verifier;
  if (!(await mayTurnMailedCodesOn(deps, user)))
    throw new WireError("OTP_NOT_CONFIGURED", { message: "OTP is not available" });
  const reply = { method: "otp" as const };
  if (verifier.kind === "challenge" || user.twoFactorEnabled) return { reply };
  if (!user.emailVerified) throw new WireError("EMAIL_NOT_VERIFIED");
  const turnedOn = await turnOnInSession(deps, verifier, {
    caller,
    proof: { methods: [] },
    isFirst: true,
    use: async () => true,
  });
  if (turnedOn) return { reply, effect: turnedOn.effect };
  // A concurrent call has turned it on, or the user was claimed or deleted.
  const current = await findUser(deps, { id: user.id });
  if (!current?.twoFactorEnabled) throw new WireError("UNAUTHORIZED");
  return { reply };
};

/** Prepares an authenticator app with backup codes, or turns codes by mail on. */
export const enableTwoFactor = async (
  deps: Needs,
  call: Call<EnableTwoFactor>,
): Promise<EnableAnswer> => {
  const { body, caller } = call;
  const verifier = await findVerifier(deps, declared, { caller, body, purposes: ["enrol"] });
  if (verifier.kind === "session")
    await checkFactorPassword(deps, {
      caller,
      session: verifier.session,
      password: body.password,
    });
  return body.method === "otp"
    ? enableMailedCodes(deps, verifier, call)
    : enableApp(deps, verifier, call);
};
