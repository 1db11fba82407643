import type { Caller } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { NewSession } from "../sessions/create-session.ts";
import type { UserRow } from "../users/user-row.ts";
import { findChallenge, passChallenge } from "./challenge-queries.ts";
import { createPassedSession, type PassNeeds } from "./pass-second-factor.ts";

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
