import {
  type AuthenticationMethod,
  type Caller,
  type Operation,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { methodsOf, requireSession, type ResolvedSession } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { resolveCaller, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";

import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { type ChallengeRow, findChallenge } from "../rows/challenges.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

export type FindVerifierNeeds = ResolveSessionNeeds;

/** The sign-in that waits for a second factor, or the session in which one is verified. */
export type Verifier =
  | { kind: "challenge"; user: UserRow; challenge: ChallengeRow }
  | { kind: "session"; user: UserRow; session: ResolvedSession };

interface Asked {
  caller: Caller;
  body: object | undefined;
  /** The purposes of a waiting sign-in that the operation serves. */
  purposes?: readonly ChallengeRow["purpose"][];
}

/** Makes the browser forget the sign-in that waited. */
export const forgetChallenge: SessionEffect = { kind: "keep", keeps: { twoFactor: null } };

const findWaiting = async (
  deps: Pick<Deps, "clock" | "db">,
  { caller, purposes = ["enrol", "verify"] }: Asked,
): Promise<Verifier | undefined> => {
  const value = caller.kept?.twoFactor;
  if (value === undefined) return undefined;
  const challenge = await findChallenge(deps.db, hashToken(value), new Date(deps.clock()));
  if (!challenge || !purposes.includes(challenge.purpose)) return undefined;
  const user = await findUser(deps, { id: challenge.userId });
  // A sign-in that overlapped with a change of the second factor may wait for the wrong thing.
  if (user?.twoFactorEnabled !== (challenge.purpose === "verify")) return undefined;
  nameAttemptedUser(caller, user.id);
  return { kind: "challenge", user, challenge };
};

/** Returns the session rules of operations that also serve a waiting sign-in. A guest, whose sign-in no longer waits, counts as nobody. */
const sessionRules = (deps: FindVerifierNeeds) => ({
  clock: deps.clock,
  freshAgeSeconds: deps.config.session.freshAge,
  admin: deps.config.admin,
  anonymous: deps.config.anonymous,
  organization: deps.config.organization,
  resolveSession: async (caller: Caller) => {
    const resolved = await resolveCaller(deps, caller, { disableRefresh: true });
    return resolved?.user.isAnonymous ? undefined : resolved;
  },
});

/**
 * Returns the waiting sign-in of the browser or, without one, the caller's session. Throws the operation's error for a missing session,
 * and `FORBIDDEN` for an impersonation or a session of an API key.
 */
export const findVerifier = async (
  deps: FindVerifierNeeds,
  declared: Operation,
  asked: Asked,
): Promise<Verifier> => {
  const waiting = await findWaiting(deps, asked);
  if (waiting) return waiting;
  const { caller, body } = asked;
  const session = await requireSession(declared, sessionRules(deps), { caller, body, query: {} });
  const user = await findUser(deps, { id: session.user.id });
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  return { kind: "session", user, session };
};

/** Returns the methods by which the user was authenticated so far. */
export const shownMethods = (verifier: Verifier): AuthenticationMethod[] =>
  verifier.kind === "challenge"
    ? methodsOf({ methods: verifier.challenge.method })
    : methodsOf(verifier.session.authentication);
