import { type Caller, WireError, operations } from "@latchkey/contracts";
import { sessionActor, appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import type { Deps, Handler, CallOf, AnswerOf } from "../deps.ts";
import { requireStrong } from "../sessions/session-rules.ts";
import { type Verifier, findVerifier, type FindVerifierNeeds } from "./find-verifier.ts";
import { checkPassword, findPassword } from "../access/check-password.ts";
import { findUser } from "../users/find-users.ts";
import {
  appUri,
  confirmApp,
  confirmedAppOf,
  findUnusedStep,
  prepareApp,
  preparedAppOf,
} from "./authenticator-app.ts";
import {
  listBackupCodes,
  matchBackupCode,
  replaceBackupCodes,
  takeBackupCode,
} from "./backup-codes.ts";
import { challengeTries, guess, type GuessNeeds } from "./guess.ts";
import { mayTurnMailedCodesOn } from "./mailed-codes.ts";
import {
  findTwoFactor,
  lockTwoFactor,
  resetGuesses,
  takeStep,
  dropSecondFactor,
} from "../rows/second-factors.ts";
import { turnOnInSession, type TurnOnNeeds } from "./turn-on.ts";
import { replaceSession, requireReplaced } from "../sessions/replace-session.ts";
import { changeUser } from "../users/change-user.ts";
import { isRequired } from "../sessions/requirement.ts";
import { forgetTrust } from "./trusted-devices.ts";
import { mailLocaleOf } from "../users/email.ts";
import { endAccess } from "../access/end-access.ts";
import { hasEndedSessionsOf, lockUser } from "../users/queries.ts";

/** Throws `SESSION_IS_NOT_FRESH` if the user of a session has not authenticated lately. A waiting sign-in has just begun. */
export const requireStrongVerifier = (
  deps: Pick<Deps, "clock" | "config">,
  verifier: Verifier,
): void => {
  if (verifier.kind === "session") requireStrong(deps, verifier.session);
};

type CheckFactorPasswordNeeds = Pick<Deps, "clock" | "config" | "db" | "limits" | "passwords">;

const missing = () =>
  new WireError("VALIDATION_ERROR", {
    message: "Invalid body parameters",
    issues: [{ path: "password", message: "required" }],
  });

/**
 * Checks the password with which a user manages the second factor. A user without one needs a strong session instead, if the options allow
 * that. Throws `INVALID_PASSWORD`, and `VALIDATION_ERROR` if the password is missing.
 */
const checkFactorPassword = async (
  deps: CheckFactorPasswordNeeds,
  {
    caller,
    session,
    password,
  }: { caller: Caller; session: ResolvedSession; password?: string | undefined },
): Promise<void> => {
  const { allowPasswordless } = deps.config.twoFactor;
  if (password === undefined && !allowPasswordless) throw missing();
  const hasPassword = (await findPassword(deps, session.user.id)) !== undefined;
  if (hasPassword) {
    if (password === undefined) throw missing();
    await checkPassword(deps, { caller, session }, password);
    return;
  }
  if (!allowPasswordless) throw new WireError("INVALID_PASSWORD");
  requireStrong(deps, session);
};

const declared = operations.identity.enableTwoFactor;

type Needs = FindVerifierNeeds &
  GuessNeeds &
  TurnOnNeeds &
  CheckFactorPasswordNeeds &
  Pick<Deps, "wakeRelay">;
type EnableAnswer = AnswerOf<"enableTwoFactor">;

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
  { body: { code, issuer }, caller }: CallOf<"enableTwoFactor">,
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
 * Turns codes by mail on, with backup codes for the times when no mail arrives. A sign-in that waits must enter a first
 * code. So must a user with an unproven address, who may not be able to read its mails.
 */
const enableMailedCodes = async (
  deps: Needs,
  verifier: Verifier,
  { caller }: CallOf<"enableTwoFactor">,
): Promise<EnableAnswer> => {
  const { user } = verifier;
  if (!(await mayTurnMailedCodesOn(deps, user)))
    throw new WireError("OTP_NOT_CONFIGURED", { message: "OTP is not available" });
  const reply = { method: "otp" as const };
  if (verifier.kind === "challenge" || user.twoFactorEnabled) return { reply };
  if (!user.emailVerified) throw new WireError("EMAIL_NOT_VERIFIED");
  let backupCodes: string[] | undefined;
  const turnedOn = await turnOnInSession(deps, verifier, {
    caller,
    proof: { methods: [] },
    isFirst: true,
    use: async (trx) => {
      backupCodes = await replaceBackupCodes(deps, trx, { userId: user.id, isPending: false });
      return true;
    },
  });
  if (turnedOn)
    return { reply: { ...reply, ...(backupCodes && { backupCodes }) }, effect: turnedOn.effect };
  // A concurrent call has turned it on, or the user was claimed or deleted.
  const current = await findUser(deps, { id: user.id });
  if (!current?.twoFactorEnabled) throw new WireError("UNAUTHORIZED");
  return { reply };
};

/** Prepares an authenticator app with backup codes, or turns codes by mail on. */
export const enableTwoFactor: Handler<"enableTwoFactor"> = async (deps, call) => {
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

/** Turns the second factor off: deletes everything that belongs to it, and replaces the session. Does nothing if it is off. */
export const disableTwoFactor: Handler<"disableTwoFactor"> = async (
  deps,
  { body, caller, session },
) => {
  await checkFactorPassword(deps, { caller, session, password: body.password });
  const user = await findUser(deps, { id: session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  if (!user.twoFactorEnabled) return { reply: { status: true } };
  if (isRequired(deps.config, user, deps.clock())) throw new WireError("TWO_FACTOR_REQUIRED");
  const { id: userId, email, name } = user;
  const replaced = await replaceSession(deps, {
    caller,
    session,
    user,
    // A second factor that is turned on later must be passed anew.
    proof: { methods: [], secondFactorAt: null },
    change: () =>
      changeUser(deps, {
        user,
        change: { twoFactorEnabled: false },
        guard: { twoFactorEnabled: true },
        action: "two-factor.disabled",
        actor: sessionActor(session),
        caller,
        publish: async (trx) => {
          await dropSecondFactor(trx, userId);
          await endAccess(trx, deps, { userId, fact: "two-factor.disabled" });
          await appendEvent(trx, deps, {
            name: "two-factor.disabled",
            data: { userId, email, name, ...(await mailLocaleOf(trx, { userId, caller })) },
          });
        },
      }),
  });
  if (replaced.kind === "unwritten") return { reply: { status: true } }; // another request came first
  const { effect } = requireReplaced(replaced);
  const keeps = forgetTrust(deps, { userId, caller });
  return { reply: { status: true }, effect: { ...effect, ...(keeps ? { keeps } : {}) } };
};

/** Returns the URI of the confirmed app, or of a prepared one. It is the same as at its preparation. */
export const getTotpUri: Handler<"getTotpUri"> = async (deps, { body, caller, session }) => {
  if (deps.config.twoFactor.totpOptions.disable) throw new WireError("TOTP_NOT_CONFIGURED");
  const row = await findTwoFactor(deps.db, session.user.id);
  const confirmed = confirmedAppOf(deps, row);
  const app = confirmed
    ? { secret: confirmed.secret, issuer: row?.issuer ?? null }
    : preparedAppOf(deps, row);
  if (!app) throw new WireError("TOTP_NOT_ENABLED");
  await checkFactorPassword(deps, { caller, session, password: body.password });
  return { reply: { totpURI: appUri(deps, session.user, app) } };
};

/** Replaces the backup codes of the caller. */
export const generateBackupCodes: Handler<"generateBackupCodes"> = async (
  deps,
  { body, caller, session },
) => {
  const user = await findUser(deps, { id: session.user.id });
  if (!user?.twoFactorEnabled) throw new WireError("TWO_FACTOR_NOT_ENABLED");
  await checkFactorPassword(deps, { caller, session, password: body.password });
  const { id: userId, email, name } = user;
  const backupCodes = await deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, userId);
    if (!locked || hasEndedSessionsOf(locked, session.session.createdAt))
      throw new WireError("UNAUTHORIZED");
    if (!locked.twoFactorEnabled) throw new WireError("TWO_FACTOR_NOT_ENABLED");
    const codes = await replaceBackupCodes(deps, trx, { userId, isPending: false });
    const data = { userId, email, name, ...(await mailLocaleOf(trx, { userId, caller })) };
    await appendEvent(trx, deps, { name: "backup-codes.generated", data });
    await appendAudit(trx, deps, {
      actor: sessionActor(session),
      subject: { kind: "user", id: userId },
      action: "backup-codes.generated",
      caller,
      after: { codesLeft: codes.length },
    });
    return codes;
  });
  deps.wakeRelay();
  return { reply: { status: true, backupCodes } };
};
