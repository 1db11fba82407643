import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { reissueChanged } from "../sessions/reissue-changed.ts";
import { findUser } from "../users/find-user.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { checkPassword } from "./check-password.ts";
import { checkPasswordLength } from "./check-password-length.ts";
import { findPassword } from "./find-password.ts";
import {
  type PasswordReplacement,
  replacePassword,
  type ReplacePasswordNeeds,
} from "./replace-password.ts";

type ChangePassword = typeof operations.identity.changePassword;
type Needs = CreateSessionNeeds & ReplacePasswordNeeds & Pick<Deps, "passwords">;

/** Starts the session that is to outlive the others. */
const startSession = async (
  deps: Needs,
  { caller }: Call<ChangePassword>,
  { user, seen }: { user: UserRow; seen: string },
): Promise<NewSession> => {
  const remember = !caller.browserSession;
  const created = await createSession(deps, user, { caller, remember, replacesOthers: true });
  if (created) return created;
  if (!(await findUser(deps, user))) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  // Another change that came first ends all sessions, this one too.
  if ((await findPassword(deps, user.id)) !== seen) throw new WireError("INVALID_PASSWORD");
  throw new WireError("FAILED_TO_GET_SESSION", { status: 500 });
};

interface Change {
  passwordHash: string;
  seen: string;
  /** Started for the caller where all others are to end. */
  started: NewSession | undefined;
}

/** Whose sessions end: who came by an API key has none that could be spared. */
const endsOf = (
  { body }: Call<ChangePassword>,
  started: NewSession | undefined,
): PasswordReplacement["ends"] => {
  if (started) return { except: hashToken(started.token) };
  return body.revokeOtherSessions ? "all" : "none";
};

/** Writes the new password if the one that was checked is still theirs: of two changes at once one does. */
const write = async (
  deps: Needs,
  call: Call<ChangePassword>,
  { passwordHash, seen, started }: Change,
): Promise<void> => {
  const { caller, session: current } = call;
  const { userId } = current.session;
  const isReplaced = await replacePassword(deps, {
    userId,
    passwordHash,
    seen,
    ends: endsOf(call, started),
    action: "password.changed",
    actor: sessionActor(current),
    caller,
  });
  if (isReplaced) return;
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
  throw new WireError(isThere ? "INVALID_PASSWORD" : "UNAUTHORIZED"); // deleted meanwhile
};

/**
 * Replaces the caller's password. Asked to end their sessions, it ends all of them and starts a new one, which the browser
 * gets: it is started first, so that what ends the others, even late, can spare it. Who came by an API key gets none.
 */
export const changePassword = async (
  deps: Needs,
  call: Call<ChangePassword>,
): Promise<Answer<OperationReply<ChangePassword>>> => {
  const { body, caller } = call;
  checkPasswordLength(body.newPassword, deps.config.emailAndPassword);
  const seen = await checkPassword(deps, call.session.user.id, body.currentPassword);
  const user = await findUser(deps, call.session.user);
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const passwordHash = await deps.passwords.hash(body.newPassword);
  const startsAnew = body.revokeOtherSessions && caller.apiKeyId === undefined;
  const started = startsAnew ? await startSession(deps, call, { user, seen }) : undefined;
  await write(deps, call, { passwordHash, seen, started });
  if (!started) return { reply: { token: null, user: toUser(user) } };
  const current = (await findUser(deps, user)) ?? user;
  const { session, effect: start } = started;
  const effect = await reissueChanged(deps, { session, user: current }, caller);
  return {
    reply: { token: started.token, user: toUser(current) },
    effect: { ...effect, maxAgeSeconds: start.maxAgeSeconds },
  };
};
