import { WireError } from "@latchkey/contracts";
import { serviceActor, sessionActor } from "@latchkey/service-kit/audit";
import { hashToken } from "@latchkey/crypto";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { findUser } from "../users/find-users.ts";
import { checkNewPassword, findPassword, checkPassword } from "../access/check-password.ts";
import {
  replacePassword,
  type ReplacePasswordNeeds,
  type PasswordReplacement,
} from "./replace-password.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { extendedProof, recordProof } from "../sessions/authentication.ts";

import { reissueChanged } from "../sessions/session-rules.ts";
import { toUser, type UserRow } from "../users/user-row.ts";

/** Sets the first password of a user without one. Only one of several concurrent calls succeeds. Sessions stay valid. */
export const setPassword: Handler<"setPassword"> = async (
  deps,
  { body: { userId, newPassword }, caller },
) => {
  await checkNewPassword(deps, newPassword);
  if (!(await findUser(deps, { id: userId }))) throw new WireError("USER_NOT_FOUND");
  const isSet =
    (await findPassword(deps, userId)) === undefined &&
    (await replacePassword(deps, {
      userId,
      passwordHash: await deps.passwords.hash(newPassword),
      seen: null,
      ends: "none",
      action: "password.set",
      actor: serviceActor(caller),
      caller,
    }));
  if (!isSet) throw new WireError("USER_ALREADY_HAS_A_PASSWORD");
  return { reply: { status: true } };
};

type ChangePasswordNeeds = CreateSessionNeeds &
  ReplacePasswordNeeds &
  Pick<Deps, "limits" | "passwords">;

/** Starts the session that survives the change. */
const startSession = async (
  deps: ChangePasswordNeeds,
  {
    caller,
    session: { session: own, authentication, remembered = true },
  }: CallOf<"changePassword">,
  { user, seen }: { user: UserRow; seen: string },
): Promise<NewSession> => {
  const proof = extendedProof(authentication, { methods: ["password"] });
  let hasEnded = false;
  const created = await createSession(deps, user, {
    caller,
    proof,
    remember: remembered,
    replacesOthers: true,
    // A change that ended the caller's session, such as a second factor switched on, must not be outlived by this one.
    isStillGranted: async () => {
      hasEnded = (await deps.sessions.find(hashToken(own.token))) === undefined;
      return !hasEnded;
    },
  });
  if (created) return created;
  if (!(await findUser(deps, user))) throw new WireError("UNAUTHORIZED"); // the user was deleted meanwhile
  // An earlier concurrent change ends all sessions, including this one.
  if ((await findPassword(deps, user.id)) !== seen) throw new WireError("INVALID_PASSWORD");
  if (hasEnded) throw new WireError("UNAUTHORIZED");
  throw new WireError("FAILED_TO_GET_SESSION", { status: 500 });
};

interface Change {
  passwordHash: string;
  seen: string;
  /** Present if all other sessions of the caller are to end. */
  started: NewSession | undefined;
}

/** Returns which sessions end. A caller with an API key has no session to keep. */
const endsOf = (
  { body }: CallOf<"changePassword">,
  started: NewSession | undefined,
): PasswordReplacement["ends"] => {
  if (started) return { except: hashToken(started.token), since: started.session.createdAt };
  return body.revokeOtherSessions ? "all" : "none";
};

/** Writes the new password if the checked one is still stored. One of two concurrent changes succeeds. */
const write = async (
  deps: ChangePasswordNeeds,
  call: CallOf<"changePassword">,
  { passwordHash, seen, started }: Change,
): Promise<void> => {
  const { caller, session: current } = call;
  const { userId } = current.session;
  const replace = (hash: string) =>
    replacePassword(deps, {
      userId,
      passwordHash,
      seen: hash,
      ends: endsOf(call, started),
      action: "password.changed",
      actor: sessionActor(current),
      caller,
    });
  if (await replace(seen)) return;
  const now = await findPassword(deps, userId);
  // A concurrent sign-in has upgraded the hash of the same password.
  const isUpgraded = now !== undefined && deps.passwords.isUpgrade(now, seen);
  if (isUpgraded && (await replace(now))) return;
  if (started)
    await deps.sessions.revoke(
      { tokenHash: hashToken(started.token), userId },
      {
        actor: { kind: "system" },
        subject: { kind: "session", id: started.session.id },
        action: "session.revoked",
        caller,
      },
    );
  const isThere = await findUser(deps, { id: userId });
  throw new WireError(isThere ? "INVALID_PASSWORD" : "UNAUTHORIZED"); // the user was deleted meanwhile
};

/**
 * Replaces the caller's password. On request, ends all of the caller's sessions and returns a new one to the browser. The
 * new session starts first, so that the end of the others can spare it, even if delayed. A caller with an API key gets no
 * session.
 */
export const changePassword: Handler<"changePassword"> = async (deps, call) => {
  const { body, caller } = call;
  await checkNewPassword(deps, body.newPassword);
  const seen = await checkPassword(deps, call, body.currentPassword);
  const user = await findUser(deps, call.session.user);
  if (!user) throw new WireError("UNAUTHORIZED"); // the user was deleted meanwhile
  const passwordHash = await deps.passwords.hash(body.newPassword);
  const startsAnew = body.revokeOtherSessions && caller.apiKeyId === undefined;
  const started = startsAnew ? await startSession(deps, call, { user, seen }) : undefined;
  await write(deps, call, { passwordHash, seen, started });
  if (!started) {
    if (caller.apiKeyId === undefined)
      await recordProof(deps, call.session, { methods: ["password"] });
    return { reply: { token: null, user: toUser(user) } };
  }
  const current = (await findUser(deps, user)) ?? user;
  const { session, effect: start } = started;
  const effect = await reissueChanged(deps, { session }, current);
  return {
    reply: { token: started.token, user: toUser(current) },
    effect: { ...effect, maxAgeSeconds: start.maxAgeSeconds },
  };
};

/** A user without a password gets the same answer as for a wrong one, as clients of 1.7 expect. */
const asInvalidPassword = (error: unknown): unknown =>
  error instanceof WireError && error.code === "CREDENTIAL_ACCOUNT_NOT_FOUND"
    ? new WireError("INVALID_PASSWORD")
    : error;

/** Checks the caller's password and records it in the session, which is then as recent as after a sign-in. */
export const verifyPassword: Handler<"verifyPassword"> = async (deps, call) => {
  await checkPassword(deps, call, call.body.password).catch((error: unknown) => {
    throw asInvalidPassword(error);
  });
  if (!(await recordProof(deps, call.session, { methods: ["password"] })))
    throw new WireError("UNAUTHORIZED"); // the session has ended meanwhile
  return { reply: { status: true } };
};
