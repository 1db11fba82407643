import {
  type ActivityFact,
  factOf,
  type OperationReply,
  type operations,
  type SessionEffect,
  WireError,
} from "@latchkey/contracts";
import { listActivity, sessionActor } from "@latchkey/service-kit/audit";
import {
  isUnavailable,
  vouchedSession,
  showAuthentication,
  type Answer,
} from "@latchkey/service-kit/http";
import { unseal, hashToken, seal, type SecretRing } from "@latchkey/crypto";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { sessionToken } from "../jwt/session-token.ts";
import {
  mayCache,
  type LiveSession,
  isStrongSession,
  reissue,
  sessionTokenPurpose,
} from "../sessions/session-rules.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import type { StoredSession } from "../sessions/store/session-store.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { lockUser } from "../users/queries.ts";
import { endAccess, type EndAccessNeeds } from "./end-access.ts";

type GetSession = typeof operations.identity.getSession;

type Needs = Pick<
  Deps,
  | "activity"
  | "clock"
  | "config"
  | "db"
  | "ring"
  | "sessions"
  | "showSession"
  | "showUser"
  | "signingKeys"
>;

/** The gateway caches the session and user of the reply, so that they are not sent twice. */
const renewCache = (deps: Needs, found: LiveSession): SessionEffect | undefined =>
  mayCache(deps, found) ? { kind: "cache", epoch: found.epoch } : undefined;

/** Returns the reply that shows a session to its owner. */
const sessionReply = (
  { config }: Pick<Deps, "config">,
  { session, user, isDue = false }: LiveSession,
): NonNullable<OperationReply<GetSession>> => ({
  session,
  user,
  ...(config.session.deferSessionRefresh ? { needsRefresh: isDue } : {}),
});

/**
 * Returns the caller's session and user, or null. A token of no session is cleared in the browser. A request without a
 * token changes nothing. The session of an API key is new with each request, so a signed token is made for it only on
 * request.
 */
export const getSession: Handler<"getSession" | "refreshSession"> = async (
  deps,
  { caller, query },
) => {
  if (caller.apiKeyId !== undefined)
    return { reply: vouchedSession(caller, deps.config.additionalFields) ?? null };
  if (caller.sessionToken === undefined) return { reply: null };
  try {
    const liveSession = await resolveSession(deps, caller, {
      disableRefresh: query.disableRefresh ?? false,
    });
    // The admin web makes a parked session the browser's own again. That reply may arrive before this one, which would clear it.
    if (!liveSession)
      return { reply: null, effect: caller.parkedSession ? undefined : { kind: "clear" } };
    const tokenOrWait = sessionToken(deps, liveSession, caller);
    const token = tokenOrWait instanceof Promise ? await tokenOrWait : tokenOrWait;
    const mayKeep = liveSession.remembered && !query.disableRefresh;
    return {
      reply: sessionReply(deps, liveSession),
      effect: liveSession.effect ?? (mayKeep ? renewCache(deps, liveSession) : undefined),
      headers: token === undefined ? undefined : { "set-auth-jwt": token },
    };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new WireError("FAILED_TO_GET_SESSION", { status: 500, cause: error });
  }
};

/** The same for clients that extend by a separate request, if the options defer extensions to it. */
export const refreshSession: Handler<"refreshSession"> = async (deps, call) => {
  if (!deps.config.session.deferSessionRefresh)
    throw new WireError("METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED");
  return getSession(deps, call);
};

/**
 * Lists the caller's live sessions, without impersonations. Only a strong session sees the tokens of the others, and every other session
 * gets handles in place of them. With a token, a thief of an old session would act in one that has just passed a second factor. An
 * impersonating admin would act in one that is not marked. Leaves out other sessions whose token was sealed under a removed secret.
 */
export const listSessions: Handler<"listSessions"> = async (deps, { session: resolved }) => {
  const { session: current, user } = resolved;
  const { defaultFindManyLimit } = deps.config.database;
  const now = new Date(deps.clock());
  const stored = await deps.sessions.list(user.id, now, defaultFindManyLimit);
  const own = stored.filter(({ impersonatedBy }) => impersonatedBy === null);
  const seesTokens = !current.impersonatedBy && isStrongSession(deps, resolved);
  const tokenOf = (session: StoredSession): string | undefined => {
    if (session.id === current.id) return current.token;
    return seesTokens
      ? unseal(deps.ring, sessionTokenPurpose, session.tokenSealed)
      : sessionHandle(deps.ring, session);
  };
  const reply = own.flatMap((session) => {
    const token = tokenOf(session);
    return token === undefined ? [] : [deps.showSession(session, token)];
  });
  return { reply };
};

const activityMax = 100;

/** Returns the latest entries about the caller's account. They name nobody else, and no address of anybody else. */
export const listOwnActivity: Handler<"listActivity"> = async (deps, { session: { user } }) => {
  const rows = await listActivity(deps, { userId: user.id, limit: activityMax });
  const reply = rows.map(({ id, occurredAt, action, address, ...actor }) => {
    const isActor = actor.actorKind === "user" && actor.actorId === user.id;
    const byCaller = isActor && !factOf(action)?.warns;
    return {
      id: String(id),
      occurredAt,
      action: action as ActivityFact, // the statement selects no other
      byCaller,
      address: byCaller && address !== "" ? address : null,
    };
  });
  return { reply };
};

type UpdateSessionNeeds = ResolveSessionNeeds & Pick<Deps, "fields">;

/** Applies the application's hook to the change. The hook may change values, and veto. */
const propose = async (
  deps: UpdateSessionNeeds,
  { session: { session } }: CallOf<"updateSession">,
  change: FieldValues,
): Promise<FieldValues> => {
  const { token: _, ...row } = session;
  const { before } = deps.config.databaseHooks.session.update;
  const allowed: FieldValues | undefined = await applyBeforeHook({ before }, { ...row, ...change });
  if (!allowed) throw new WireError("FAILED_TO_UPDATE_SESSION");
  return Object.fromEntries(Object.keys(change).map((name) => [name, allowed[name] ?? null]));
};

/**
 * Changes the additional fields of the current session that clients may set. The time of its last extension stays, so
 * that the change does not make the session fresh.
 */
export const updateSession: Handler<"updateSession"> = async (deps, call) => {
  const { body, caller, session: current } = call;
  const sent = await deps.fields.session.read({ values: body, mode: "update" });
  if (Object.keys(sent).length === 0) throw new WireError("NO_FIELDS_TO_UPDATE");
  const change = await propose(deps, call, sent);
  const { token, userId } = current.session;
  await deps.sessions.changeFields({ tokenHash: hashToken(token), userId }, change, caller);
  const updatedSession = await resolveSession(deps, caller, { disableRefresh: true });
  if (!updatedSession) throw new WireError("UNAUTHORIZED"); // the session ended meanwhile
  const { token: _, ...row } = updatedSession.session;
  await deps.config.databaseHooks.session.update.after?.(row);
  return { reply: { session: updatedSession.session }, effect: reissue(deps, updatedSession) };
};

/** Returns session and user of a token that another service received, or null. Does not extend the session. */
export const resolveToken: Handler<"resolveSession"> = async (deps, { caller, body }) => {
  const holder = { ...caller, sessionToken: body.token };
  const resolved = await resolveSession(deps, holder, { disableRefresh: true });
  if (!resolved) return { reply: null };
  const { session, user, authentication } = resolved;
  return { reply: { session, user, authentication: showAuthentication(authentication) } };
};

/** The purpose under which the hash of a session's token is sealed into a handle. */
const handlePurpose = "session handle";

/**
 * Returns a handle for revoking a session. A handle cannot be used to sign in, because the token cannot be derived from
 * it.
 */
export const sessionHandle = (
  ring: SecretRing,
  { tokenHash }: Pick<StoredSession, "tokenHash">,
): string => seal(ring, handlePurpose, tokenHash.toString("base64url"));

/** Returns the token hash in a handle, or the hash of the text itself if it is not a handle. */
export const namedTokenHash = (ring: SecretRing, text: string): Buffer => {
  const hash = unseal(ring, handlePurpose, text);
  return hash === undefined ? hashToken(text) : Buffer.from(hash, "base64url");
};

/** Ends one of the caller's own sessions, identified by its token or its handle. Rejects the session of another user. */
export const revokeSession: Handler<"revokeSession"> = async (deps, { caller, body, session }) => {
  const targetSession = await deps.sessions.find(namedTokenHash(deps.ring, body.token));
  if (!targetSession) throw new WireError("SESSION_NOT_FOUND");
  if (targetSession.session.userId !== session.user.id) throw new WireError("UNAUTHORIZED");
  await deps.sessions.revoke(targetSession.session, {
    actor: sessionActor(session),
    subject: { kind: "session", id: targetSession.session.id },
    action: "session.revoked",
    caller,
  });
  return { reply: { status: true } };
};

type RevokeSessionsNeeds = EndAccessNeeds & Pick<Deps, "db" | "sessions" | "wakeRelay">;

const revokeAll = async (
  deps: RevokeSessionsNeeds,
  { caller, session }: CallOf<"revokeSessions" | "revokeOtherSessions">,
  keepCurrent: boolean,
): Promise<Answer<{ status: boolean }>> => {
  const { id: userId } = session.user;
  if (!keepCurrent) {
    await deps.db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      await endAccess(trx, deps, { userId, fact: "session.revoked-all" });
    });
    deps.wakeRelay();
  }
  // The session of an API key is not a stored one, so none is kept.
  const isKept = keepCurrent && caller.apiKeyId === undefined;
  await deps.sessions.revokeAll(userId, isKept ? hashToken(session.session.token) : undefined, {
    actor: sessionActor(session),
    subject: { kind: "user", id: userId },
    action: keepCurrent ? "session.revoked-others" : "session.revoked-all",
    caller,
  });
  return { reply: { status: true } };
};

/**
 * Ends every session of the caller, including the current one, waiting sign-ins, mailed links and codes for a sign-in, and
 * the trust in browsers. The next get-session clears the browser.
 */
export const revokeSessions: Handler<"revokeSessions"> = (deps, call) =>
  revokeAll(deps, call, false);

/** Ends every session of the caller except the current one. */
export const revokeOtherSessions: Handler<"revokeOtherSessions"> = (deps, call) =>
  revokeAll(deps, call, true);
