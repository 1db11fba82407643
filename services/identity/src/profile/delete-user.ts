import {
  type Caller,
  WireError,
  type OperationReply,
  type operations,
  type ErrorCode,
  wireCode,
} from "@latchkey/contracts";
import { appendAudit, type AuditEntry, sessionActor } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import {
  type ResolvedSession,
  isStale,
  landingPlace,
  type LinkAnswer,
  setQuery,
} from "@latchkey/service-kit/http";
import type { Transaction } from "kysely";
import { dropAccounts } from "../accounts/drop-accounts.ts";
import { requireOtherAdmin } from "../users/admin-rights.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler, CallOf, LinkHandler } from "../deps.ts";
import { advanceRevision } from "../user-revisions/advance-revision.ts";
import { isGuest } from "../users/guests/queries.ts";
import { deleteUserRow, findMergeAway, lockUser } from "../users/queries.ts";
import { endAccess } from "../access/end-access.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { readSecret, useSecret, proposeSecret } from "../secrets/secrets.ts";
import { findUser } from "../users/find-users.ts";
import { toWholeUser } from "../users/user-row.ts";
import { checkPassword } from "../access/check-password.ts";
import { mailLocaleOf } from "../users/email.ts";
import { resolveSession, type ResolveSessionNeeds } from "../sessions/resolve-session.ts";
import { maskAddress, mayAct } from "../secrets/mailed-links.ts";

export type EraseUserNeeds = Pick<
  Deps,
  | "clock"
  | "config"
  | "db"
  | "revisionRecords"
  | "newEventId"
  | "providers"
  | "ring"
  | "sessions"
  | "urgentEvents"
  | "wakeRelay"
>;

interface Erasure {
  userId: string;
  caller: Caller;
  actor: AuditEntry["actor"];
  /** Runs first in the transaction. An error rolls it back. */
  within?: (trx: Transaction<Tables>) => Promise<void>;
  /** Spares a guest who has signed up meanwhile. */
  onlyGuest?: boolean;
}

/**
 * Deletes a user permanently, with accounts and sessions. Other services clean up before the client gets the reply, or
 * later by the event. Events make the providers revoke their grants. Returns false if there is no such user, or no such guest. Throws
 * `YOU_CANNOT_REMOVE_THE_LAST_ADMIN` for the last admin.
 */
export const eraseUser = async (
  deps: EraseUserNeeds,
  { userId, caller, actor, within, onlyGuest = false }: Erasure,
): Promise<boolean> => {
  const event = await deps.db.transaction().execute(async (trx) => {
    await within?.(trx);
    await requireOtherAdmin(deps, trx, { losing: userId });
    if (!(await lockUser(trx, userId))) return undefined;
    if (onlyGuest && !(await isGuest(trx, userId))) return undefined;
    const merge = await findMergeAway(trx, userId);
    await dropAccounts(trx, deps, { userId });
    const deleted = await deleteUserRow(trx, userId);
    if (!deleted) return undefined;
    const { email } = deleted;
    await endAccess(trx, deps, { userId, fact: "user.deleted", formerEmail: email });
    await advanceRevision(deps, trx, { userId, caller });
    const event = await appendEvent(trx, deps, {
      name: "user.deleted",
      data: { userId, email, ...(merge ? { merge } : {}) },
    });
    const subject = { kind: "user", id: userId };
    await appendAudit(trx, deps, { actor, subject, action: "user.deleted", caller });
    return event;
  });
  if (!event) return false;
  deps.wakeRelay();
  deps.urgentEvents.note(caller, event);
  await endSessions(deps, { userId, actor, caller });
  return true;
};

interface OwnErasure {
  current: ResolvedSession;
  caller: Caller;
  /** The token of a mailed link, which is used up. */
  token?: string;
}

const invalidToken = () => new WireError("INVALID_TOKEN", { status: 404 });

/**
 * Deletes the user of a session and runs the application's functions before and after. Returns false if the user was
 * deleted already. A token must be this user's, and only one of several concurrent uses deletes. If the application's
 * first function throws, nothing is deleted and the token stays valid.
 */
const eraseOwnUser = async (
  deps: EraseUserNeeds,
  { current, caller, token }: OwnErasure,
): Promise<boolean> => {
  const user = await findUser(deps, { id: current.user.id });
  if (!user) return false;
  if (
    token !== undefined &&
    (await readSecret(deps, "accountDeletion", { token }))?.holder !== user.id
  )
    throw invalidToken();
  const { beforeDelete, afterDelete } = deps.config.user.deleteUser;
  await beforeDelete?.(toWholeUser(user));
  const consume = async (trx: Transaction<Tables>) => {
    if (token === undefined) return;
    const use = { name: "accountDeletion", token, holder: user.id } as const;
    if (!(await useSecret(deps, trx, use))) throw invalidToken();
  };
  const erasure = { userId: user.id, caller, actor: sessionActor(current), within: consume };
  if (!(await eraseUser(deps, erasure))) return false;
  await afterDelete?.(toWholeUser(user));
  return true;
};

type Needs = EraseUserNeeds & Pick<Deps, "limits" | "logger" | "newId" | "passwords">;

/** Mails the deletion link to the user. The token leaves only in a sealed event. */
const mailLink = async (
  deps: Needs,
  { body, caller, session: current }: CallOf<"deleteUser">,
): Promise<void> => {
  const { id: userId, email, name } = current.user;
  const proposed = await proposeSecret(deps, "accountDeletion", {
    holder: userId,
    lifetimeSeconds: deps.config.user.deleteUser.deleteTokenExpiresIn,
  });
  const query = new URLSearchParams({
    token: proposed.token,
    callbackURL: landingPlace(deps.config.appURL, caller, body.callbackURL) ?? "/",
  });
  const url = `${caller.baseUrl}/delete-user/callback?${query.toString()}`;
  await deps.db.transaction().execute(async (trx) => {
    await deps.limits.countLinkMail(trx, { email, countsFor: "holders", beyond: "refuse" });
    await proposed.store(trx);
    const expiresAt = proposed.expiresAt.toISOString();
    const language = await mailLocaleOf(trx, { userId, caller });
    const data = { userId, email, name, url, expiresAt, ...language };
    await appendEvent(trx, deps, { name: "account-deletion.requested", data });
    await appendAudit(trx, deps, {
      actor: sessionActor(current),
      subject: { kind: "user", id: userId },
      action: "account-deletion.requested",
      caller,
    });
  });
  deps.wakeRelay();
  await proposed.settle();
};

/** The age counts from the start of the session, because an extension proves nothing. */
const checkFreshness = (deps: Needs, { session: { session } }: CallOf<"deleteUser">): void => {
  const freshness = { now: deps.clock(), freshAgeSeconds: deps.config.session.freshAge };
  if (isStale(session.createdAt, freshness))
    throw new WireError("SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION");
};

/** Deletes the caller's account, or mails a deletion link if the options require that. */
export const deleteUser: Handler<"deleteUser"> = async (deps, call) => {
  const options = deps.config.user.deleteUser;
  if (!options.enabled) throw new WireError("NOT_FOUND");
  const { body, caller, session: current } = call;
  const { password, token } = body;
  if (password) await checkPassword(deps, call, password);
  if (!token && options.confirmByMail) {
    await mailLink(deps, call);
    return { reply: { success: true, message: "Verification email sent" } };
  }
  if (!token && !password) checkFreshness(deps, call);
  const isErased = await eraseOwnUser(deps, { current, caller, ...(token ? { token } : {}) });
  if (!isErased) throw new WireError("UNAUTHORIZED"); // deleted meanwhile
  return { reply: { success: true, message: "User deleted" }, effect: { kind: "clear" } };
};

type Reply = OperationReply<typeof operations.identity.deleteUserCallback>;
type DeleteUserCallbackNeeds = EraseUserNeeds & ResolveSessionNeeds;

interface OpenedLink {
  token: string;
  callbackURL: string | undefined;
  caller: Caller;
  isPosted: boolean;
}

/** The words for errors in a redirect that are not the error's own code. */
const errorWords: Partial<Record<ErrorCode, string>> = {
  FAILED_TO_GET_USER_INFO: "unauthorized",
  INVALID_TOKEN: "invalid_token",
};

/**
 * Opens a mailed deletion link. It works only in a session of its owner and not during an impersonation. That session
 * shows that the browser is the owner's, so by default the link acts at once.
 */
const open = async (
  deps: DeleteUserCallbackNeeds,
  { token, callbackURL, caller, isPosted }: OpenedLink,
): Promise<LinkAnswer<Reply>> => {
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  if (current?.session.impersonatedBy) throw new WireError("FORBIDDEN");
  if (!current) throw new WireError("FAILED_TO_GET_USER_INFO", { status: 404 });
  if (!isPosted && !mayAct(deps.config, caller, true)) {
    if ((await readSecret(deps, "accountDeletion", { token }))?.holder !== current.user.id)
      throw new WireError("INVALID_TOKEN", { status: 404 });
    return { question: { act: "delete", email: maskAddress(current.user.email) } };
  }
  if (!(await eraseOwnUser(deps, { current, caller, token })))
    throw new WireError("FAILED_TO_GET_USER_INFO", { status: 404 }); // deleted meanwhile
  const effect = { kind: "clear" } as const;
  return callbackURL
    ? { redirect: callbackURL, status: isPosted ? 303 : 302, effect }
    : { reply: { success: true, message: "User deleted" }, effect };
};

/**
 * Sends an error to the link's callback URL. Throws it if there is none, or if a user follows the link in a browser without a session,
 * who is shown to sign in first.
 */
const openOrRefuse = async (
  deps: DeleteUserCallbackNeeds,
  opened: OpenedLink,
): Promise<LinkAnswer<Reply>> => {
  if (!deps.config.user.deleteUser.enabled) throw new WireError("NOT_FOUND");
  const { callbackURL, caller, isPosted } = opened;
  try {
    return await open(deps, opened);
  } catch (error) {
    if (!(error instanceof WireError) || error.status >= 500 || !callbackURL) throw error;
    const isFollowed = !isPosted && !mayAct(deps.config, caller, false);
    if (isFollowed && error.code === "FAILED_TO_GET_USER_INFO") throw error;
    const word = errorWords[error.code] ?? wireCode(error.code, error.message);
    return { redirect: setQuery(callbackURL, { error: word }), status: isPosted ? 303 : 302 };
  }
};

/** Deletes the caller's account by a mailed link. */
export const deleteUserCallback: LinkHandler<"deleteUserCallback"> = (deps, { caller, query }) =>
  openOrRefuse(deps, {
    token: query.token,
    callbackURL: query.callbackURL,
    caller,
    isPosted: false,
  });

/** Deletes the caller's account, submitted by the link's page or by the application. */
export const deleteUserCallbackPost: LinkHandler<"deleteUserCallbackPost"> = (
  deps,
  { caller, body },
) =>
  openOrRefuse(deps, { token: body.token, callbackURL: body.callbackURL, caller, isPosted: true });
