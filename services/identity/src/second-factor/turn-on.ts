import type { Caller, KeptChanges } from "@latchkey/contracts";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import { SpentError } from "../secrets/secrets.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { Proof } from "../sessions/authentication.ts";
import { replaceSession, requireReplaced } from "../sessions/replace-session.ts";
import { changeUser, type ChangeUserNeeds } from "../users/change-user.ts";
import { findUser } from "../users/find-users.ts";
import type { UserGuard } from "../users/queries.ts";
import type { UserRow } from "../users/user-row.ts";
import type { Verifier } from "./find-verifier.ts";
import {
  finishChallenge,
  type Passed,
  type Passing,
  type PassNeeds,
  startPassedSession,
} from "./pass-second-factor.ts";
import { lockTwoFactor, markEnabled } from "../rows/second-factors.ts";
import { mailLocaleOf } from "../users/email.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";

export type TurnOnNeeds = PassNeeds & ChangeUserNeeds & Pick<Deps, "db">;

interface Change {
  caller: Caller;
  /** Writes what is turned on, or uses up its first code. False if a concurrent call came first. */
  use: Passing["use"];
  /** The second factor must still be off. */
  isFirst?: boolean;
}

interface Further {
  /** The hash of the token whose session stays when the others end. */
  spared?: Buffer;
  /** Ends the waiting sign-in, in the same transaction. */
  finish?: (trx: Transaction<Tables>) => Promise<void>;
}

/** A session that a claim of the user has ended turns nothing on. A claim ends waiting sign-ins, which are looked at in the transaction. */
const claimGuard = (verifier: Verifier): UserGuard =>
  verifier.kind === "session" ? { sessionCreatedAt: verifier.session.session.createdAt } : {};

/**
 * Writes that the second factor is on, with the end of everything that began without it. Returns undefined if a concurrent call came
 * first, or if the user was claimed since the session began.
 */
const write = async (
  deps: TurnOnNeeds,
  verifier: Verifier,
  { caller, use, isFirst = false, spared, finish }: Change & Further,
): Promise<UserRow | undefined> => {
  const { user } = verifier;
  const { id: userId } = user;
  const publish = async (trx: Transaction<Tables>, { email, name }: UserRow) => {
    await lockTwoFactor(trx, userId);
    if (!(await use(trx))) throw new SpentError();
    await markEnabled(trx, userId, new Date(deps.clock()));
    const exceptChallenge =
      verifier.kind === "challenge" ? verifier.challenge.tokenHash : undefined;
    // A sign-in starts its session afterwards, so that it needs no exception.
    const sessions = deps.config.twoFactor.revokeOtherSessions ? { except: spared } : "none";
    await endAccess(trx, deps, { userId, fact: "two-factor.enabled", sessions, exceptChallenge });
    await finish?.(trx);
    const notice = { userId, email, name, ...(await mailLocaleOf(trx, { userId, caller })) };
    await appendEvent(trx, deps, { name: "two-factor.enabled", data: notice });
  };
  try {
    return await changeUser(deps, {
      user,
      change: { twoFactorEnabled: true },
      action: "two-factor.enabled",
      caller,
      guard: { ...(isFirst ? { twoFactorEnabled: false } : {}), ...claimGuard(verifier) },
      publish,
    });
  } catch (error) {
    if (error instanceof SpentError) return undefined;
    throw error;
  }
};

/** Turns the second factor on in a session, and replaces the session. Returns undefined if `write` does. */
export const turnOnInSession = async (
  deps: TurnOnNeeds,
  verifier: Extract<Verifier, { kind: "session" }>,
  { proof, ...change }: Change & { proof: Proof },
): Promise<Passed | undefined> => {
  const { user, session } = verifier;
  const replaced = await replaceSession(deps, {
    caller: change.caller,
    session,
    user,
    proof,
    endsOthers: deps.config.twoFactor.revokeOtherSessions,
    change: (spared) => write(deps, verifier, { ...change, spared }),
  });
  if (replaced.kind === "unwritten") return undefined;
  const { token, effect, user: changed } = requireReplaced(replaced);
  return { reply: { token, user: deps.showUser(changed) }, effect };
};

/**
 * Turns the required second factor on in a sign-in that waits for it, and starts its session. Returns undefined if a concurrent call came
 * first.
 */
const turnOnInSignIn = async (
  deps: TurnOnNeeds,
  verifier: Extract<Verifier, { kind: "challenge" }>,
  { caller, method, use, trustsDevice = false }: Omit<Passing, "disablesSession">,
): Promise<Passed | undefined> => {
  const { challenge } = verifier;
  let keeps: KeptChanges | undefined;
  const user = await write(deps, verifier, {
    caller,
    use,
    finish: async (trx) => {
      keeps = await finishChallenge(deps, trx, { challenge, caller, trusts: trustsDevice });
    },
  });
  if (!user) return undefined;
  // Sessions without a second factor have ended by the requirement already. This ends those of other kinds.
  if (deps.config.twoFactor.revokeOtherSessions)
    await endSessions(deps, { userId: user.id, actor: { kind: "user", id: user.id }, caller });
  const current = (await findUser(deps, { id: user.id })) ?? user;
  return startPassedSession(deps, { ...verifier, user: current }, { caller, method, keeps });
};

/**
 * Turns the second factor on by its first right code, in a session or in a sign-in that waits for it. Returns undefined if a concurrent
 * call came first.
 */
export const turnOnByCode = (
  deps: TurnOnNeeds,
  verifier: Verifier,
  { caller, method, use, trustsDevice }: Omit<Passing, "disablesSession">,
): Promise<Passed | undefined> => {
  if (verifier.kind === "challenge")
    return turnOnInSignIn(deps, verifier, { caller, method, use, trustsDevice });
  const now = new Date(deps.clock());
  const proof = { methods: [method], secondFactorAt: now, authenticatedAt: now };
  return turnOnInSession(deps, verifier, { caller, use, proof });
};
