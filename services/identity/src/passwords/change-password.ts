import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import { sessionActor, type Answer, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { cachedSession } from "../sessions/cached-session.ts";
import {
  createSession,
  type CreateSessionNeeds,
  type NewSession,
} from "../sessions/create-session.ts";
import { findUser } from "../users/find-user.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { checkPassword } from "./check-password.ts";
import { checkPasswordLength } from "./check-password-length.ts";
import { findPassword } from "./find-password.ts";
import { replacePassword, type ReplacePasswordNeeds } from "./replace-password.ts";

type ChangePassword = typeof operations.identity.changePassword;
type Needs = CreateSessionNeeds & ReplacePasswordNeeds & Pick<Deps, "passwords">;

/** Starts the session that is to outlive the others. */
const startSession = async (
  deps: Needs,
  { caller }: Call<ChangePassword>,
  { user, seen }: { user: UserRow; seen: string },
): Promise<NewSession> => {
  const created = await createSession(deps, user, { caller, remember: !caller.browserSession });
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

/** Writes the new password if the one that was checked is still theirs: of two changes at once one does. */
const write = async (
  deps: Needs,
  { caller, session: current }: Call<ChangePassword>,
  { passwordHash, seen, started }: Change,
): Promise<void> => {
  const { userId } = current.session;
  const [actor, tokenHash] = [sessionActor(current), started && hashToken(started.token)];
  const isReplaced = await replacePassword(deps, {
    userId,
    passwordHash,
    seen,
    ends: tokenHash ? { except: tokenHash } : "none",
    action: "password.changed",
    actor,
    caller,
  });
  if (isReplaced) return;
  if (started && tokenHash)
    await deps.sessions.revoke(
      { tokenHash, userId },
      {
        actor: { kind: "system" },
        subject: { kind: "session", id: started.session.id },
        action: "session.revoked",
        caller,
      },
    );
  throw new WireError("INVALID_PASSWORD");
};

/**
 * Replaces the caller's password. Asked to end their sessions, it ends all of them and starts a new one, which the browser
 * gets: it is started first, so that what ends the others, even late, can spare it.
 */
export const changePassword = async (
  deps: Needs,
  call: Call<ChangePassword>,
): Promise<Answer<OperationReply<ChangePassword>>> => {
  const { body } = call;
  checkPasswordLength(body.newPassword, deps.config.emailAndPassword);
  const seen = await checkPassword(deps, call.session.user.id, body.currentPassword);
  const user = await findUser(deps, call.session.user);
  if (!user) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  const passwordHash = await deps.passwords.hash(body.newPassword);
  const started = body.revokeOtherSessions
    ? await startSession(deps, call, { user, seen })
    : undefined;
  await write(deps, call, { passwordHash, seen, started });
  if (!started) return { reply: { token: null, user: toUser(user) } };
  const current = (await findUser(deps, user)) ?? user;
  const shown = { session: started.session, user: deps.showUser(current) };
  return {
    reply: { token: started.token, user: toUser(current) },
    effect: { ...started.effect, ...cachedSession(deps, shown, current.revision) },
  };
};
