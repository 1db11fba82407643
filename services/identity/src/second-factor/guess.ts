import { type Caller, type ErrorCode, WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { UserRow } from "../users/user-row.ts";
import { endTriedChallenge, takeChallengeTry } from "../rows/challenges.ts";
import { forgetChallenge, type Verifier } from "./find-verifier.ts";
import type { GuessMethod } from "./observe-second-factor.ts";
import { countGuess, findTwoFactor, markLockNotified } from "../rows/second-factors.ts";
import { mailLocaleOf } from "../users/email.ts";

export type GuessNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "newEventId" | "ring" | "secondFactorObserver" | "wakeRelay"
>;

const notificationMilliseconds = 86_400_000;

/** Rolls back the count of a guess whose own tries are used up. */
class UsedUp extends Error {}

const lockedError = (
  { clock }: Pick<Deps, "clock">,
  lockedUntil: Date | null | undefined,
): WireError => {
  const milliseconds = (lockedUntil?.getTime() ?? 0) - clock();
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return new WireError("ACCOUNT_TEMPORARILY_LOCKED", { retryAfterSeconds });
};

/** Throws `ACCOUNT_TEMPORARILY_LOCKED` while the second factor of a user is locked. */
export const refuseLocked = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  userId: string,
): Promise<void> => {
  if (!deps.config.twoFactor.accountLockout.enabled) return;
  const lockedUntil = (await findTwoFactor(deps.db, userId))?.lockedUntil;
  if (lockedUntil && lockedUntil.getTime() > deps.clock()) throw lockedError(deps, lockedUntil);
};

/** Records a lock: in the audit once, and by mail to the user at most once a day. */
const recordLock = async (
  deps: GuessNeeds,
  { user, caller, lockedUntil }: { user: UserRow; caller: Caller; lockedUntil: Date },
): Promise<void> => {
  const { id: userId, email, name } = user;
  const now = new Date(deps.clock());
  const since = new Date(now.getTime() - notificationMilliseconds);
  await deps.db.transaction().execute(async (trx) => {
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: userId },
      subject: { kind: "user", id: userId },
      action: "two-factor.locked",
      outcome: "refused",
      caller,
      after: { lockedUntil },
    });
    if (!(await markLockNotified(trx, { userId, lockedUntil, now, since }))) return;
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, lockedUntil: lockedUntil.toISOString(), ...language };
    await appendEvent(trx, deps, { name: "two-factor.locked", data });
  });
  deps.secondFactorObserver.recordLock();
  deps.wakeRelay();
};

/** A guess at a second factor. */
export interface Guess<Own> {
  user: UserRow;
  caller: Caller;
  method: GuessMethod;
  /** The error of a wrong code. */
  wrong: ErrorCode;
  /** Takes a try of the sign-in or the mailed code, in the transaction of the count. Undefined if none is left. */
  takeOwn: (trx: Transaction<Tables>) => Promise<Own | undefined>;
  /** Returns the error if no try of its own is left. */
  usedUp: () => Promise<WireError>;
}

const take = async <Own>(
  deps: GuessNeeds,
  { user, takeOwn }: Guess<Own>,
): Promise<{ own: Own; lockedUntil: Date | null } | undefined> => {
  const { enabled, maxFailedAttempts: max, durationSeconds } = deps.config.twoFactor.accountLockout;
  const now = new Date(deps.clock());
  const rule = { max, now, until: new Date(now.getTime() + durationSeconds * 1000) };
  return deps.db.transaction().execute(async (trx) => {
    const counted = enabled ? await countGuess(trx, user.id, rule) : { lockedUntil: null };
    if (!counted) return undefined;
    const own = await takeOwn(trx);
    if (own === undefined) throw new UsedUp();
    return { own, lockedUntil: counted.lockedUntil };
  });
};

/**
 * Takes a try, then runs the check. It is taken before the secret is looked at, so that concurrent guesses cannot exceed the limits.
 * The check returns undefined for a wrong code, and resets the count of the user for a right one. Throws
 * `ACCOUNT_TEMPORARILY_LOCKED`, and the errors of the guess.
 */
export const guess = async <Own, T>(
  deps: GuessNeeds,
  guessed: Guess<Own>,
  check: (own: Own) => Promise<T | undefined>,
): Promise<T> => {
  const { user, caller, method, wrong } = guessed;
  const observe = deps.secondFactorObserver;
  const attempt = await take(deps, guessed).catch(async (error: unknown) => {
    if (!(error instanceof UsedUp)) throw error;
    observe.recordGuess(method, "used-up");
    throw await guessed.usedUp();
  });
  if (!attempt) {
    observe.recordGuess(method, "locked");
    throw lockedError(deps, (await findTwoFactor(deps.db, user.id))?.lockedUntil);
  }
  const result = await check(attempt.own);
  observe.recordGuess(method, result === undefined ? "wrong" : "right");
  if (result !== undefined) return result;
  if (attempt.lockedUntil)
    await recordLock(deps, { user, caller, lockedUntil: attempt.lockedUntil });
  throw new WireError(wrong);
};

/** Returns how a code of an app or a backup code takes the tries of its sign-in. A session has only those of its user. */
export const challengeTries = (
  { db }: Pick<Deps, "db">,
  verifier: Verifier,
): Pick<Guess<true>, "takeOwn" | "usedUp"> => ({
  takeOwn: async (trx) => {
    if (verifier.kind === "session") return true;
    const { tokenHash } = verifier.challenge;
    return (await takeChallengeTry(trx, tokenHash)) || undefined;
  },
  usedUp: async () => {
    const isEnded =
      verifier.kind === "challenge" && (await endTriedChallenge(db, verifier.challenge.tokenHash));
    // A concurrent call has passed the sign-in or ended it.
    if (!isEnded) return new WireError("INVALID_TWO_FACTOR_COOKIE");
    return new WireError("TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE", { effect: forgetChallenge });
  },
});
