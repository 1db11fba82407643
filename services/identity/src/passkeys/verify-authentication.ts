import { type Caller, type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { Proof } from "../sessions/authentication.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { replaceSession } from "../sessions/replace-session.ts";
import {
  finishSignIn,
  type FinishSignInNeeds,
  type SignInOutcome,
} from "../sign-in/finish-sign-in.ts";
import { refuseUnverified } from "../sign-in/refuse-unverified.ts";
import { isPasskeyStored } from "./queries.ts";
import { usePasskey, type UsedPasskey } from "./use-passkey.ts";

type VerifyAuthentication = typeof operations.identity.verifyAuthentication;
type Needs = FinishSignInNeeds & ResolveSessionNeeds & Pick<Deps, "limits">;

/**
 * Renews the caller's own session of the same user: it gets a new token, and the passkey is added to what it has shown. Returns undefined
 * without such a session, also for an impersonation, which nothing may renew.
 */
const renewSession = async (
  deps: Needs,
  { user, userVerified }: UsedPasskey,
  caller: Caller,
): Promise<SignInOutcome | undefined> => {
  const found = await resolveSession(deps, caller, { disableRefresh: true });
  if (found?.user.id !== user.id || found.session.impersonatedBy) return undefined;
  const now = new Date(deps.clock());
  const proof: Proof = {
    methods: ["passkey"],
    authenticatedAt: now,
    ...(userVerified ? { secondFactorAt: now } : {}),
  };
  const change = async () => user;
  const replaced = await replaceSession(deps, { caller, session: found, user, proof, change });
  return (
    replaced && {
      kind: "session",
      session: { ...replaced, user: deps.showUser(replaced.user) },
      effect: replaced.effect,
    }
  );
};

const signIn = (
  deps: Needs,
  { user, userVerified, passkeyId }: UsedPasskey,
  caller: Caller,
): Promise<SignInOutcome | undefined> =>
  finishSignIn(deps, {
    user,
    method: "passkey",
    caller,
    remember: !caller.browserSession,
    isBothFactors: userVerified,
    // A claim of the user or an admin may have removed the passkey meanwhile.
    isStillGranted: () => isPasskeyStored(deps.db, passkeyId),
  });

/** Signs a user in by a passkey. A live session of the same user is renewed instead, so that operations that need a strong one work. */
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
  const outcome = (await renewSession(deps, used, caller)) ?? (await signIn(deps, used, caller));
  if (!outcome) throw new WireError("UNABLE_TO_CREATE_SESSION", { status: 500 });
  const { effect } = outcome;
  if (outcome.kind === "challenge") return { reply: outcome.challenge, effect };
  const { session } = outcome.session;
  return { reply: { session, user: outcome.session.user }, effect };
};
