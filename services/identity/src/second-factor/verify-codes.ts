import { operations, WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import type { Handler } from "../deps.ts";
import { findVerifier, type FindVerifierNeeds, type Verifier } from "./find-verifier.ts";
import { refuseLocked, challengeTries, guess, type GuessNeeds, type Guess } from "./guess.ts";
import {
  replaceMailedCode,
  macOfCode,
  newMailedCode,
  requireMailedCodes,
  subjectOf,
  deleteMailedCode,
  endTriedCode,
  takeMailedCodeTry,
  isCodeOfMac,
} from "./mailed-codes.ts";
import { requireStrongVerifier } from "./settings.ts";
import { mailLocaleOf } from "../users/email.ts";
import { passSecondFactor } from "./pass-second-factor.ts";
import {
  confirmApp,
  type ConfirmedApp,
  confirmedAppOf,
  findUnusedStep,
  type PreparedApp,
  preparedAppOf,
} from "./authenticator-app.ts";
import { findTwoFactor, takeStep, type TwoFactorRow } from "../rows/second-factors.ts";
import { turnOnByCode, type TurnOnNeeds } from "./turn-on.ts";
import type { Tables } from "../db/tables.ts";
import {
  replaceBackupCodes,
  listBackupCodes,
  matchBackupCode,
  takeBackupCode,
} from "./backup-codes.ts";

const minuteMilliseconds = 60_000;

/** Mails a code that replaces the earlier one of the same sign-in or session. */
export const sendTwoFactorCode: Handler<"sendTwoFactorCode"> = async (deps, { body, caller }) => {
  const { enabled, digits, period } = deps.config.twoFactor.otpOptions;
  if (!enabled) throw new WireError("OTP_NOT_CONFIGURED");
  const verifier = await findVerifier(deps, operations.identity.sendTwoFactorCode, {
    caller,
    body,
  });
  const { id: userId, email, name, twoFactorEnabled } = verifier.user;
  if (!twoFactorEnabled) requireStrongVerifier(deps, verifier);
  await requireMailedCodes(deps, verifier);
  await refuseLocked(deps, userId);
  const code = newMailedCode(digits);
  const subject = subjectOf(verifier);
  const codeMac = macOfCode(deps.ring, { subject, userId, code });
  const expiresAt = new Date(deps.clock() + period * minuteMilliseconds);
  await deps.db.transaction().execute(async (trx) => {
    await deps.limits.countSignInMail(trx, { email, countsFor: "holders", beyond: "refuse" });
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

type VerifyTotpNeeds = FindVerifierNeeds & GuessNeeds & TurnOnNeeds;

/** The apps whose codes count: a waiting sign-in takes the confirmed one, an enrolment the prepared one, and a session both. */
interface Apps {
  confirmed: ConfirmedApp | undefined;
  prepared: PreparedApp | undefined;
}

const appsOf = (deps: VerifyTotpNeeds, verifier: Verifier, row: TwoFactorRow | undefined): Apps => {
  const purpose = verifier.kind === "challenge" ? verifier.challenge.purpose : undefined;
  return {
    confirmed: purpose === "enrol" ? undefined : confirmedAppOf(deps, row),
    prepared: purpose === "verify" ? undefined : preparedAppOf(deps, row),
  };
};

/** Verifies a code of the confirmed app, or the first code of a prepared one, which turns it on. */
export const verifyTotp: Handler<"verifyTotp"> = async (deps, { body, caller }) => {
  if (deps.config.twoFactor.totpOptions.disable) throw new WireError("TOTP_NOT_CONFIGURED");
  const verifier = await findVerifier(deps, operations.identity.verifyTotp, { caller, body });
  const { id: userId } = verifier.user;
  const { confirmed, prepared } = appsOf(deps, verifier, await findTwoFactor(deps.db, userId));
  if (!confirmed && !prepared) throw new WireError("TOTP_NOT_ENABLED");
  const { code, trustDevice: trustsDevice } = body;
  const guessed = {
    user: verifier.user,
    caller,
    method: "totp",
    wrong: "INVALID_CODE",
    ...challengeTries(deps, verifier),
  } as const;
  const { reply, effect } = await guess(deps, guessed, async () => {
    const { secretSealed = "", lastStep = -1 } = confirmed ?? {};
    const step = confirmed && findUnusedStep(deps, confirmed.secret, { code, lastStep });
    if (step !== undefined)
      return passSecondFactor(deps, verifier, {
        caller,
        method: "totp",
        trustsDevice,
        use: (trx) => takeStep(trx, { userId, step, secretSealed }),
      });
    const first = prepared && findUnusedStep(deps, prepared.secret, { code, lastStep: -1 });
    if (!prepared || first === undefined) return undefined;
    return turnOnByCode(deps, verifier, {
      caller,
      method: "totp",
      trustsDevice,
      use: (trx) => confirmApp(deps, trx, { userId, app: prepared, step: first }),
    });
  });
  return { reply: reply as Required<typeof reply>, effect }; // only backup codes may start no session
};

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

/** Verifies a mailed code. If the second factor is off, the code turns it on, and the reply shows new backup codes. */
export const verifyTwoFactorCode: Handler<"verifyTwoFactorCode"> = async (
  deps,
  { body, caller },
) => {
  if (!deps.config.twoFactor.otpOptions.enabled) throw new WireError("OTP_NOT_CONFIGURED");
  const verifier = await findVerifier(deps, operations.identity.verifyTwoFactorCode, {
    caller,
    body,
  });
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
  let backupCodes: string[] | undefined;
  const { reply, effect } = await guess(deps, guessed, async (codeMac) => {
    if (!isCodeOfMac(deps.ring, { subject, userId, code }, codeMac)) return undefined;
    const use = (trx: Transaction<Tables>) => deleteMailedCode(trx, { subject, codeMac });
    return user.twoFactorEnabled
      ? passSecondFactor(deps, verifier, { caller, method: "otp", trustsDevice, use })
      : turnOnByCode(deps, verifier, {
          caller,
          method: "otp",
          trustsDevice,
          use: async (trx) => {
            if (!(await use(trx))) return false;
            backupCodes = await replaceBackupCodes(deps, trx, { userId, isPending: false });
            return true;
          },
        });
  });
  const passed = reply as Required<typeof reply>; // only backup codes may start no session
  return { reply: { ...passed, ...(backupCodes && { backupCodes }) }, effect };
};

/** Verifies a backup code, which is used up. On request, the sign-in ends without a session. */
export const verifyBackupCode: Handler<"verifyBackupCode"> = async (deps, { body, caller }) => {
  const verifier = await findVerifier(deps, operations.identity.verifyBackupCode, { caller, body });
  const { user } = verifier;
  const isEnrolment = verifier.kind === "challenge" && verifier.challenge.purpose === "enrol";
  const stored = isEnrolment ? [] : await listBackupCodes(deps.db, user.id);
  if (stored.length === 0) throw new WireError("BACKUP_CODES_NOT_ENABLED");
  const guessed = {
    user,
    caller,
    method: "backup-code",
    wrong: "INVALID_BACKUP_CODE",
    ...challengeTries(deps, verifier),
  } as const;
  const passed = await guess(deps, guessed, async () => {
    const id = matchBackupCode(deps.ring, user.id, { code: body.code, stored });
    if (id === undefined) return undefined;
    return passSecondFactor(deps, verifier, {
      caller,
      method: "backup-code",
      trustsDevice: body.trustDevice,
      disablesSession: body.disableSession,
      use: (trx) => takeBackupCode(deps, trx, { id, user, caller }),
    });
  });
  deps.wakeRelay();
  return passed;
};
