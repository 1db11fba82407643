import {
  type Caller,
  type OperationReply,
  type operations,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { completeChallengeByPasskey } from "../second-factor/complete-challenge-by-passkey.ts";
import type { NewSession } from "../sessions/create-session.ts";
import { replaceSession } from "../sessions/replace-session.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { finishSignIn, type FinishSignInNeeds } from "../sign-in/finish-sign-in.ts";
import { refuseUnverified } from "../sign-in/refuse-unverified.ts";
import { isPasskeyStored } from "./queries.ts";
import { usePasskey, type UsedPasskey } from "./use-passkey.ts";

type VerifyAuthentication = typeof operations.identity.verifyAuthentication;
type Needs = FinishSignInNeeds & ResolveSessionNeeds & Pick<Deps, "limits">;

/** The end of a sign-in by passkey. */
interface Ending {
  reply: OperationReply<VerifyAuthentication>;
  effect: SessionEffect;
}

const shown = ({ session, user }: NewSession) => ({ session, user });

/**
 * Renews the caller's own session of the same user: it gets a new token, and the passkey is added to what it has shown. Returns undefined
 * without such a session. An impersonation is not renewed.
 */
const renewSession = async (
  deps: Needs,
  { user, userVerified, passkeyId }: UsedPasskey,
  caller: Caller,
): Promise<Ending | undefined> => {
  const session = await resolveSession(deps, caller, { disableRefresh: true });
  if (session?.user.id !== user.id) return undefined;
  const now = new Date(deps.clock());
  const replaced = await replaceSession(deps, {
    caller,
    session,
    user,
    proof: {
      methods: ["passkey"],
      authenticatedAt: now,
      ...(userVerified ? { secondFactorAt: now } : {}),
    },
    // Nothing of the user changes, but the passkey must still be there.
    change: async () => ((await isPasskeyStored(deps.db, passkeyId)) ? user : undefined),
  });
  if (replaced.kind !== "replaced") return undefined;
  const { session: renewed, user: holder, effect } = replaced.by;
  return { reply: { session: renewed, user: deps.showUser(holder) }, effect };
};

/** Completes the sign-in that waits in this browser for the second factor of the same user. */
const completeChallenge = async (
  deps: Needs,
  { user }: UsedPasskey,
  caller: Caller,
): Promise<Ending | undefined> => {
  const started = await completeChallengeByPasskey(deps, { user, caller });
  return started && { reply: shown(started), effect: started.effect };
};

const signIn = async (
  deps: Needs,
  { user, userVerified, passkeyId }: UsedPasskey,
  caller: Caller,
): Promise<Ending | undefined> => {
  const outcome = await finishSignIn(deps, {
    user,
    method: "passkey",
    caller,
    remember: !caller.browserSession,
    isBothFactors: userVerified,
    // A claim of the user or an admin may have removed the passkey meanwhile.
    isStillGranted: () => isPasskeyStored(deps.db, passkeyId),
  });
  if (!outcome) return undefined;
  const { effect } = outcome;
  const reply = outcome.kind === "challenge" ? outcome.challenge : shown(outcome.session);
  return { reply, effect };
};

/**
 * Signs a user in by a passkey. A live session of the same user is renewed instead, so that operations that need a strong one work. A
 * sign-in of the same user that waits for its second factor is completed.
 */
export const verifyAuthentication = async (
  deps: Needs,
  { body, caller }: Call<VerifyAuthentication>,
): Promise<Answer<OperationReply<VerifyAuthentication>>> => {
  const used = await usePasskey(deps, { response: body.response, caller });
  const { user } = used;
  if (deps.config.emailAndPassword.requireEmailVerification && !user.emailVerified)
    return refuseUnverified(deps, user, {
      caller,
      callbackURL: undefined,
      error: "EMAIL_NOT_VERIFIED",
    });
  const ending =
    (await renewSession(deps, used, caller)) ??
    (await completeChallenge(deps, used, caller)) ??
    (await signIn(deps, used, caller));
  if (!ending) throw new WireError("UNABLE_TO_CREATE_SESSION", { status: 500 });
  return ending;
};
