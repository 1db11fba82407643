import {
  type Caller,
  type OperationReply,
  type operations,
  WireError,
  type SessionEffect,
} from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Deps, Handler } from "../deps.ts";
import {
  findOwnSession,
  type ResolveSessionNeeds,
  resolveSession,
} from "../sessions/resolve-session.ts";

import { challengeSeconds, createChallenge, consumeChallenge } from "./challenge.ts";
import {
  listPasskeyRows,
  findPasskey,
  type PasskeyRow,
  updatePasskeyUse,
  isPasskeyStored,
} from "../rows/passkeys.ts";
import {
  requireRelyingParty,
  type AuthenticationResponse,
  authenticationResponse,
  isCrossOrigin,
  readClientData,
  type Assertion,
  expectationOf,
  verifyAssertion,
} from "./verify-response.ts";
import { describeCredential } from "./own-passkeys.ts";
import {
  finishSignIn,
  type FinishSignInNeeds,
  refuseUnverified,
} from "../sign-in/finish-sign-in.ts";
import { findUser } from "../users/find-users.ts";
import type { UserRow } from "../users/user-row.ts";
import { mailLocaleOf } from "../users/email.ts";
import { completeChallengeByPasskey } from "../second-factor/pass-second-factor.ts";
import type { NewSession } from "../sessions/create-session.ts";
import { replaceSession } from "../sessions/replace-session.ts";
import { nameAttemptedUser } from "../refused-sign-ins/attempted-user.ts";

type Needs = Pick<Deps, "clock" | "config" | "db"> & ResolveSessionNeeds;

/** Returns the credentials of the signed-in user, or undefined without a session of their own. */
const ownCredentials = async (deps: Needs, caller: Caller) => {
  if (caller.apiKeyId !== undefined) return undefined;
  const current = await findOwnSession(deps, caller);
  if (!current) return undefined;
  const passkeys = await listPasskeyRows(deps.db, current.user.id);
  return passkeys.map(describeCredential);
};

/**
 * Starts a sign-in by passkey. Without a session it names no credential, so that any passkey may answer and nobody learns who has one. With
 * a session it names the user's own.
 */
export const generateAuthenticateOptions: Handler<
  "generateAuthenticateOptions" | "generateAuthenticateOptionsPost"
> = async (deps, { caller }) => {
  const { id: rpId } = requireRelyingParty(deps);
  const { authentication, authenticatorSelection } = deps.config.passkey;
  const allowCredentials = await ownCredentials(deps, caller);
  const { challenge, keeps } = await createChallenge(deps, { caller, ceremony: "authentication" });
  const { extensions } = authentication;
  return {
    reply: {
      challenge,
      rpId,
      timeout: challengeSeconds * 1000,
      userVerification: authenticatorSelection.userVerification,
      ...(allowCredentials ? { allowCredentials } : {}),
      ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
    },
    effect: { kind: "keep", keeps },
  };
};

type UsePasskeyNeeds = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

/** A user who has proven possession of a passkey. */
interface UsedPasskey {
  user: UserRow;
  passkeyId: string;
  /** The authenticator has verified the user, so the passkey is two factors. */
  userVerified: boolean;
}

type FoundPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

const failed = () => new WireError("AUTHENTICATION_FAILED");

/** A handle that the authenticator names must be the owner's. An imported passkey has the handle of its former installation. */
const isOwnHandle = (
  { hasUserHandle, handle }: FoundPasskey,
  { userHandle }: AuthenticationResponse["response"],
): boolean =>
  !userHandle ||
  !hasUserHandle ||
  handle?.equals(new Uint8Array(Buffer.from(userHandle, "base64url"))) === true;

interface Refusal {
  user: UserRow;
  passkey: PasskeyRow;
  assertion: Assertion;
  caller: Caller;
}

/** Records a valid signature that a copy of the passkey may have made, and notifies the user. The passkey stays. */
const recordRefusal = async (
  deps: UsePasskeyNeeds,
  { user, passkey, assertion, caller }: Refusal,
): Promise<void> => {
  const { id, counter, deviceType } = passkey;
  await deps.db.transaction().execute(async (trx) => {
    await appendAudit(trx, deps, {
      actor: { kind: "anonymous" },
      subject: { kind: "user", id: user.id },
      action: "passkey.refused",
      outcome: "refused",
      caller,
      before: { id, counter, deviceType },
      after: { counter: assertion.counter, deviceType: assertion.deviceType },
    });
    const { id: userId, email, name } = user;
    const passkeyName = passkey.name ?? "";
    await appendEvent(trx, deps, {
      name: "passkey.refused",
      data: { userId, email, name, passkeyName, ...(await mailLocaleOf(trx, { userId, caller })) },
    });
  });
  deps.wakeRelay();
};

/**
 * Verifies the response of an authenticator and records the use of its passkey. The challenge is used up first, whatever follows. Throws
 * `CHALLENGE_NOT_FOUND`, `PASSKEY_NOT_FOUND` and `AUTHENTICATION_FAILED`.
 */
const usePasskey = async (
  deps: UsePasskeyNeeds,
  { response: sent, caller }: { response: Record<string, unknown>; caller: Caller },
): Promise<UsedPasskey> => {
  const relyingParty = requireRelyingParty(deps);
  if (caller.kept?.passkeyChallenge === undefined) throw new WireError("CHALLENGE_NOT_FOUND");
  const client = readClientData(sent);
  if (!client) throw failed();
  const { challenge } = client;
  await consumeChallenge(deps, { caller, ceremony: "authentication", challenge });
  const { data: response } = authenticationResponse.safeParse(sent);
  if (!response) throw failed();
  const passkey = await findPasskey(deps.db, Buffer.from(response.id, "base64url"));
  if (!passkey) throw new WireError("PASSKEY_NOT_FOUND", { status: 401 });
  nameAttemptedUser(caller, passkey.userId);
  const expectation = expectationOf(deps.config.passkey, relyingParty, challenge);
  const assertion = await verifyAssertion(response, passkey, expectation);
  if (!assertion || isCrossOrigin(client) || !isOwnHandle(passkey, response.response))
    throw failed();
  const user = await findUser(deps, { id: passkey.userId });
  if (!user) throw failed(); // deleted meanwhile
  const { counter, backedUp, deviceType, userVerified } = assertion;
  const use = { id: passkey.id, counter, backedUp, deviceType, usedAt: new Date(deps.clock()) };
  if (!(await updatePasskeyUse(deps.db, use))) {
    await recordRefusal(deps, { user, passkey, assertion, caller });
    throw failed();
  }
  return { user, passkeyId: passkey.id, userVerified };
};

type VerifyAuthentication = typeof operations.identity.verifyAuthentication;
type VerifyAuthenticationNeeds = FinishSignInNeeds & ResolveSessionNeeds & Pick<Deps, "limits">;

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
  deps: VerifyAuthenticationNeeds,
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
    change: async () =>
      (await isPasskeyStored(deps.db, { id: passkeyId, userId: user.id })) ? user : undefined,
  });
  if (replaced.kind !== "replaced") return undefined;
  const { session: renewed, user: holder, effect } = replaced.by;
  return { reply: { session: renewed, user: deps.showUser(holder) }, effect };
};

/** Completes the sign-in that waits in this browser for the second factor of the same user. */
const completeChallenge = async (
  deps: VerifyAuthenticationNeeds,
  { user }: UsedPasskey,
  caller: Caller,
): Promise<Ending | undefined> => {
  const started = await completeChallengeByPasskey(deps, { user, caller });
  return started && { reply: shown(started), effect: started.effect };
};

const signIn = async (
  deps: VerifyAuthenticationNeeds,
  { user, userVerified, passkeyId }: UsedPasskey,
  caller: Caller,
): Promise<Ending | undefined> => {
  const outcome = await finishSignIn(deps, {
    user,
    method: "passkey",
    caller,
    remember: !caller.browserSession,
    isBothFactors: userVerified,
    // A claim of the user, an admin or the undo of a merge may have removed the passkey meanwhile.
    isStillGranted: () => isPasskeyStored(deps.db, { id: passkeyId, userId: user.id }),
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
export const verifyAuthentication: Handler<"verifyAuthentication"> = async (
  deps,
  { body, caller },
) => {
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
