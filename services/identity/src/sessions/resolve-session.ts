import { type Caller, operations } from "@latchkey/contracts";
import { hashToken, seal } from "@latchkey/crypto";
import { NotSharedError, type ResolveOptions } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { canContinueImpersonating } from "../admin/can-continue-impersonating.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { isBelowRequirement } from "../second-factor/requirement.ts";
import { isBanned } from "../users/user-rules.ts";
import { authenticationOf } from "./authentication.ts";
import { cachedSession } from "./cached-session.ts";
import { sessionTokenPurpose } from "./create-session.ts";
import type { LiveSession } from "./live-session.ts";
import { extensionDueAt, secondsLeft } from "./session-rules.ts";
import type { FoundSession, SessionExtension, StoredSession } from "./store/session-store.ts";

export type ResolveSessionNeeds = Pick<
  Deps,
  "activity" | "clock" | "config" | "db" | "ring" | "sessions" | "showSession" | "showUser"
>;

const lives = async (
  deps: ResolveSessionNeeds,
  hash: Buffer,
): Promise<FoundSession | undefined> => {
  const found = await deps.sessions.find(hash);
  const now = deps.clock();
  if (!found || isBanned(found.user, now) || isBelowRequirement(deps.config, found, now))
    return undefined;
  const { expiresAt, impersonatedBy } = found.session;
  if (expiresAt.getTime() < now) {
    await deps.sessions.deleteExpired(hash, new Date(now));
    return undefined;
  }
  const goesOn =
    impersonatedBy === null ||
    (await canContinueImpersonating(deps, { adminId: impersonatedBy, user: found.user }));
  return goesOn ? found : undefined;
};

/**
 * Returns whether a session outlives the browser. The row decides, because a thief would leave the marker cookie out. The
 * marker also counts, for sessions that are older than the row's column.
 */
const isRemembered = (caller: Caller, { session }: FoundSession): boolean =>
  session.remembered && !caller.browserSession;

/** Returns whether a session is due to be extended. An impersonation never is: it ends at its fixed time. */
const isExtensionDue = (deps: ResolveSessionNeeds, { session }: FoundSession): boolean =>
  session.impersonatedBy === null &&
  !deps.config.session.disableSessionRefresh &&
  extensionDueAt(session.expiresAt, deps.config.session) <= deps.clock();

const show = (
  deps: ResolveSessionNeeds,
  { session, user }: FoundSession,
  { token, remembered, isDue = false }: { token: string; remembered: boolean; isDue?: boolean },
): LiveSession => ({
  session: deps.showSession(session, token),
  user: deps.showUser(user),
  epoch: user.revision,
  remembered,
  authentication: authenticationOf(session, user),
  isDue,
});

/**
 * Extends a due, remembered session. One of several concurrent calls does so, and the others return its result. Returns
 * undefined if the session has ended.
 */
const extend = async (
  deps: ResolveSessionNeeds,
  token: string,
  found: FoundSession,
): Promise<LiveSession | undefined> => {
  const hooks = deps.config.databaseHooks.session.update;
  const now = deps.clock();
  const { tokenHash, tokenSealed: _, ...seen } = found.session;
  const allowed = await applyBeforeHook(hooks, {
    ...seen,
    expiresAt: new Date(now + deps.config.session.expiresIn * 1000),
    updatedAt: new Date(now),
  });
  if (!allowed) return undefined;
  const { expiresAt, updatedAt } = allowed;
  const tokenSealed = seal(deps.ring, sessionTokenPurpose, token);
  const to: SessionExtension = { expiresAt, updatedAt, tokenSealed };
  if (!(await deps.sessions.extend(tokenHash, found.session, to))) {
    const again = await lives(deps, tokenHash);
    return again && show(deps, again, { token, remembered: true });
  }
  deps.activity.recordUse(found.user.id);
  await hooks.after?.(allowed);
  const session: StoredSession = { ...found.session, ...to };
  const live = show(deps, { ...found, session }, { token, remembered: true });
  const effect = { kind: "issue", token, maxAgeSeconds: secondsLeft(expiresAt, now) } as const;
  return { ...live, effect: { ...effect, ...cachedSession(deps, live, live.epoch) } };
};

/**
 * Returns the session that the caller's token opens. Rejects with `NotSharedError` if that takes more than the look-up: an end, an
 * extension or a check of an impersonation.
 */
const readSession = async (deps: ResolveSessionNeeds, caller: Caller): Promise<LiveSession> => {
  const token = caller.sessionToken;
  const found = token === undefined ? undefined : await deps.sessions.find(hashToken(token));
  const now = deps.clock();
  if (token === undefined || !found || isBanned(found.user, now)) throw new NotSharedError();
  if (isBelowRequirement(deps.config, found, now)) throw new NotSharedError();
  const { expiresAt, impersonatedBy } = found.session;
  if (expiresAt.getTime() < now || impersonatedBy !== null) throw new NotSharedError();
  const remembered = isRemembered(caller, found);
  if (remembered && isExtensionDue(deps, found)) throw new NotSharedError();
  return show(deps, found, { token, remembered });
};

/** Returns the session that the caller's token opens, extended if due, or undefined. */
export const resolveSession = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  { disableRefresh, isShared }: ResolveOptions,
): Promise<LiveSession | undefined> => {
  if (isShared) return readSession(deps, caller);
  const token = caller.sessionToken;
  if (token === undefined) return undefined;
  const found = await lives(deps, hashToken(token));
  if (!found) return undefined;
  const remembered = isRemembered(caller, found);
  const isDue = !disableRefresh && remembered && isExtensionDue(deps, found);
  const mayExtend =
    !deps.config.session.deferSessionRefresh ||
    caller.operation === operations.identity.refreshSession.name;
  return isDue && mayExtend
    ? extend(deps, token, found)
    : show(deps, found, { token, remembered, isDue });
};
