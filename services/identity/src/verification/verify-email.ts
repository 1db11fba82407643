import {
  type Caller,
  type ErrorCode,
  type OperationReply,
  type operations,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import { verifyVerificationToken } from "@latchkey/crypto";
import { type Answer, appendAudit, appendEvent, type Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { createSession } from "../sessions/create-session.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { secondsLeft } from "../sessions/session-rules.ts";
import { findUserByEmail, updateUserVerified } from "../users/queries.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { toUser, type UserRow } from "../users/user-row.ts";

type VerifyEmail = typeof operations.identity.verifyEmail;
type Needs = Pick<Deps, "clock" | "config" | "db" | "newId" | "ring" | "sessions" | "wakeRelay">;

const linkErrors = {
  token_expired: "LINK_TOKEN_EXPIRED",
  invalid_token: "LINK_INVALID_TOKEN",
  user_not_found: "LINK_USER_NOT_FOUND",
} as const satisfies Record<string, ErrorCode>;

const withQuery = (url: string, name: string, value: string) =>
  `${url}${url.includes("?") ? "&" : "?"}${name}=${value}`;

/** Marks the address in one guarded statement; what was marked already stays as it is. */
const markVerified = async (deps: Needs, user: UserRow, caller: Caller): Promise<UserRow> => {
  if (user.emailVerified) return user;
  const hooks = deps.config.databaseHooks.user.update;
  const allowed = await applyBeforeHook(hooks, { ...toUser(user), emailVerified: true });
  if (!allowed) throw new WireError("FAILED_TO_UPDATE_USER");
  const now = new Date(deps.clock());
  const marked = await deps.db.transaction().execute(async (trx) => {
    const updated = await updateUserVerified(trx, { id: user.id, email: user.email, now });
    if (!updated) return undefined;
    await appendEvent(trx, { ...deps, newId: () => deps.newId("event") }, "user.updated", {
      userId: user.id,
    });
    await appendAudit(trx, deps, {
      actor: { kind: "user", id: user.id },
      subject: { kind: "user", id: user.id },
      action: "user.email-verified",
      caller,
      before: { emailVerified: false },
      after: { emailVerified: true },
    });
    return updated;
  });
  if (!marked) return user;
  await deps.sessions.renewUser(marked);
  deps.wakeRelay();
  await hooks.after?.(toUser(marked));
  return marked;
};

/** With the option on: a new session, or the caller's own one issued again. */
const signIn = async (
  deps: Needs,
  user: UserRow,
  caller: Caller,
): Promise<SessionEffect | undefined> => {
  if (!deps.config.emailVerification.autoSignInAfterVerification) return undefined;
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.user.id === user.id)
    return {
      kind: "issue",
      token: current.session.token,
      maxAgeSeconds: caller.browserSession
        ? null
        : secondsLeft(current.session.expiresAt, deps.clock()),
    };
  const created = await createSession(deps, user, { caller, remember: true });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  return created.effect;
};

/** Opens a mailed verification link. What is wrong with it is told to the callback URL, or in the answer without one. */
export const verifyEmail = async (
  deps: Needs,
  { caller, query }: Call<VerifyEmail>,
): Promise<Answer<OperationReply<VerifyEmail>>> => {
  const refuse = (reason: keyof typeof linkErrors) => {
    if (!query.callbackURL) throw new WireError(linkErrors[reason]);
    return { redirect: withQuery(query.callbackURL, "error", reason) };
  };
  const token = await verifyVerificationToken(deps.ring, query.token, new Date(deps.clock()));
  if (!token.ok) return refuse(token.reason);
  if (token.updateTo !== undefined) return refuse("invalid_token");
  const user = await findUserByEmail(deps.db, token.email.toLowerCase());
  if (!user) return refuse("user_not_found");
  await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const effect = await signIn(deps, await markVerified(deps, user, caller), caller);
  return query.callbackURL
    ? { redirect: query.callbackURL, effect }
    : { reply: { status: true, user: null }, effect };
};
