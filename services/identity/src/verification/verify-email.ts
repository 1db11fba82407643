import {
  type Caller,
  type ErrorCode,
  type OperationReply,
  type operations,
  type SessionEffect,
  type User,
  WireError,
} from "@latchkey/contracts";
import { verifyVerificationToken } from "@latchkey/crypto";
import type { Answer, Call } from "@latchkey/service-kit";
import { createSession, type CreateSessionNeeds } from "../sessions/create-session.ts";
import { resolveSession } from "../sessions/resolve-session.ts";
import { reissue } from "../sessions/session-rules.ts";
import { findUser } from "../users/find-user.ts";
import { toUser, type UserRow } from "../users/user-row.ts";
import { markVerified } from "./mark-verified.ts";
import { replaceEmail } from "./replace-email.ts";

type VerifyEmail = typeof operations.identity.verifyEmail;
type Needs = CreateSessionNeeds;

const linkErrors = {
  token_expired: "LINK_TOKEN_EXPIRED",
  invalid_token: "LINK_INVALID_TOKEN",
  user_not_found: "LINK_USER_NOT_FOUND",
  unauthorized: "LINK_UNAUTHORIZED",
} as const satisfies Record<string, ErrorCode>;

const withQuery = (url: string, name: string, value: string) =>
  `${url}${url.includes("?") ? "&" : "?"}${name}=${value}`;

/** With the option on: a new session, or the caller's own one issued again. */
const signIn = async (
  deps: Needs,
  user: UserRow,
  caller: Caller,
): Promise<SessionEffect | undefined> => {
  if (!deps.config.emailVerification.autoSignInAfterVerification) return undefined;
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.user.id === user.id) {
    const shown = { session: current.session, user: deps.showUser(user) };
    return reissue(deps, { ...shown, epoch: user.revision }, caller);
  }
  const created = await createSession(deps, user, { caller, remember: true });
  if (!created) throw new WireError("FAILED_TO_CREATE_SESSION", { status: 500 });
  return created.effect;
};

/** Opens a mailed verification link. What is wrong with it is told to the callback URL, or in the answer without one. */
export const verifyEmail = async (
  deps: Needs,
  { caller, query }: Call<VerifyEmail>,
): Promise<Answer<OperationReply<VerifyEmail>>> => {
  const { callbackURL } = query;
  const answer = (user: User | null, effect: SessionEffect | undefined) =>
    callbackURL ? { redirect: callbackURL, effect } : { reply: { status: true, user }, effect };
  const refuse = (reason: keyof typeof linkErrors) => {
    if (!callbackURL) throw new WireError(linkErrors[reason]);
    return { redirect: withQuery(callbackURL, "error", reason) };
  };
  const token = await verifyVerificationToken(deps.ring, query.token, new Date(deps.clock()));
  if (!token.ok) return refuse(token.reason);
  const { updateTo } = token;
  const email = token.email.toLowerCase();
  const user = await findUser(deps, { email });
  if (!user) return refuse("user_not_found");
  if (updateTo !== undefined) {
    const replaced = await replaceEmail(deps, { user, updateTo, callbackURL, caller });
    return replaced ? answer(toUser(replaced.user), replaced.effect) : refuse("unauthorized");
  }
  await deps.config.emailVerification.onEmailVerification?.(toUser(user));
  const verified = await markVerified(deps, { user, caller });
  if (!verified) return refuse("user_not_found");
  return answer(null, await signIn(deps, verified, caller));
};
