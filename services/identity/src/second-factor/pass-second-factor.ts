import {
  type AuthenticationMethod,
  type Caller,
  type FullUser,
  type KeptChanges,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import type { Transaction } from "kysely";
import { hashToken } from "@latchkey/crypto";
import { SpentError } from "../secrets/secrets.ts";
import type { Tables } from "../db/tables.ts";
import { linkGuest, type LinkGuestNeeds } from "../access/link-guest.ts";
import type { Deps } from "../deps.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { recordProof } from "../sessions/authentication.ts";
import type { UserRow } from "../users/user-row.ts";
import {
  type ChallengeRow,
  deleteChallenge,
  passChallenge,
  findChallenge,
} from "../rows/challenges.ts";
import { forgetChallenge, type Verifier } from "./find-verifier.ts";
import { lockTwoFactor, resetGuesses } from "../rows/second-factors.ts";
import { trustDevice } from "./trusted-devices.ts";

export type PassNeeds = CreateSessionNeeds & LinkGuestNeeds & Pick<Deps, "db">;

/** A session that has shown its second factor. */
export interface Passed {
  reply: { token?: string; user: FullUser };
  effect?: SessionEffect | undefined;
}

export interface Passing {
  caller: Caller;
  /** The method that the session remembers. */
  method: Extract<AuthenticationMethod, "totp" | "otp" | "backup-code">;
  /** Uses up the code in the transaction of what it opens. False if a concurrent call has used it. */
  use: (trx: Transaction<Tables>) => Promise<boolean>;
  trustsDevice?: boolean | undefined;
  /** Ends the sign-in without a session. */
  disablesSession?: boolean | undefined;
}

/** Ends a waiting sign-in in the transaction in which its second factor was passed. */
export const finishChallenge = async (
  deps: PassNeeds,
  trx: Transaction<Tables>,
  { challenge, caller, trusts }: { challenge: ChallengeRow; caller: Caller; trusts: boolean },
): Promise<KeptChanges | undefined> => {
  const { tokenHash, userId } = challenge;
  if (!(await passChallenge(trx, tokenHash, new Date(deps.clock()))))
    throw new WireError("INVALID_TWO_FACTOR_COOKIE");
  return trusts ? trustDevice(deps, trx, { userId, caller }) : undefined;
};

/**
 * Starts the session of a sign-in whose second factor was passed. The row of the sign-in lives until then: a change that ends waiting
 * sign-ins deletes it, and the session ends with it.
 */
const createPassedSession = async (
  deps: PassNeeds,
  { user, challenge }: { user: UserRow; challenge: ChallengeRow },
  { caller, method }: { caller: Caller; method: AuthenticationMethod },
): Promise<NewSession | undefined> => {
  const { tokenHash, remember, guestId } = challenge;
  const created = await createSession(deps, user, {
    caller,
    remember,
    proof: {
      methods: [challenge.method as AuthenticationMethod, method], // written by a sign-in
      secondFactorAt: new Date(deps.clock()),
    },
    isStillGranted: () => deleteChallenge(deps.db, tokenHash),
  });
  if (created) await linkGuest(deps, { user, guestId: guestId ?? undefined, caller });
  return created;
};

/** Starts the session of a sign-in whose second factor was passed, and replies with it. */
export const startPassedSession = async (
  deps: PassNeeds,
  verifier: Extract<Verifier, { kind: "challenge" }>,
  { keeps, ...passing }: Pick<Passing, "caller" | "method"> & { keeps?: KeptChanges | undefined },
): Promise<Passed> => {
  const created = await createPassedSession(deps, verifier, passing);
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  const { token, effect } = created;
  return {
    reply: { token, user: created.user },
    effect: keeps ? { ...effect, keeps: { ...effect.keeps, ...keeps } } : effect,
  };
};

const passChallenged = async (
  deps: PassNeeds,
  verifier: Extract<Verifier, { kind: "challenge" }>,
  { caller, method, use, trustsDevice = false, disablesSession = false }: Passing,
): Promise<Passed> => {
  const { user, challenge } = verifier;
  const trusts = trustsDevice && !disablesSession;
  const keeps = await deps.db.transaction().execute(async (trx) => {
    await lockTwoFactor(trx, user.id);
    if (!(await use(trx))) throw new SpentError();
    await resetGuesses(trx, user.id);
    return finishChallenge(deps, trx, { challenge, caller, trusts });
  });
  if (!disablesSession) return startPassedSession(deps, verifier, { caller, method, keeps });
  await deleteChallenge(deps.db, challenge.tokenHash);
  return { reply: { user: deps.showUser(user) }, effect: forgetChallenge };
};

const passInSession = async (
  deps: PassNeeds,
  { user, session }: { user: UserRow; session: Extract<Verifier, { kind: "session" }>["session"] },
  { method, use, disablesSession = false }: Passing,
): Promise<Passed> => {
  await deps.db.transaction().execute(async (trx) => {
    await lockTwoFactor(trx, user.id);
    if (!(await use(trx))) throw new SpentError();
    await resetGuesses(trx, user.id);
  });
  const proof = { methods: [method], secondFactorAt: new Date(deps.clock()) };
  if (!(await recordProof(deps, session, proof))) throw new WireError("UNAUTHORIZED");
  const token = disablesSession ? {} : { token: session.session.token };
  return { reply: { ...token, user: deps.showUser(user) } };
};

/**
 * Uses up a right code: it starts the session of the waiting sign-in, or confirms the caller's session. Returns undefined if a
 * concurrent call has used the code. Throws `INVALID_TWO_FACTOR_COOKIE` if one has passed the sign-in.
 */
export const passSecondFactor = async (
  deps: PassNeeds,
  verifier: Verifier,
  passing: Passing,
): Promise<Passed | undefined> => {
  try {
    return verifier.kind === "challenge"
      ? await passChallenged(deps, verifier, passing)
      : await passInSession(deps, verifier, passing);
  } catch (error) {
    if (error instanceof SpentError) return undefined;
    throw error;
  }
};

/**
 * Completes the browser's waiting sign-in by a passkey of the same user, and starts its session. Returns undefined if none waits, or if it
 * waits for the set-up of a second factor. A sign-in that a passkey began is not completed: the same key twice is one factor.
 */
export const completeChallengeByPasskey = async (
  deps: PassNeeds,
  { user, caller }: { user: UserRow; caller: Caller },
): Promise<NewSession | undefined> => {
  const value = caller.kept?.twoFactor;
  if (value === undefined || !deps.config.twoFactor.enabled) return undefined;
  const now = new Date(deps.clock());
  const challenge = await findChallenge(deps.db, hashToken(value), now);
  if (challenge?.userId !== user.id) return undefined;
  if (challenge.purpose !== "verify" || challenge.method === "passkey") return undefined;
  if (!(await passChallenge(deps.db, challenge.tokenHash, now))) return undefined;
  return createPassedSession(deps, { user, challenge }, { caller, method: "passkey" });
};
