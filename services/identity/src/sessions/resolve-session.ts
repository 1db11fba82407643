import { type Caller, operations } from "@latchkey/contracts";
import { hashToken, seal } from "@latchkey/crypto";
import {
  isUnavailable,
  type ResolveOptions,
  type ResolvedSession,
  vouchedSession,
} from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import { canContinueImpersonating } from "../users/admin-rights.ts";
import { applyBeforeHook } from "../users/row-hooks.ts";
import { isBelowRequirement } from "./requirement.ts";
import { isBanned, isFormerGuest } from "../users/user-row.ts";
import { authenticationOf } from "./authentication.ts";
import {
  cachedSession,
  type LiveSession,
  extensionDueAt,
  secondsLeft,
  sessionTokenPurpose,
} from "./session-rules.ts";
import type { FoundSession, SessionExtension, StoredSession } from "./store/session-store.ts";

export type ResolveSessionNeeds = Pick<
  Deps,
  "activity" | "clock" | "config" | "db" | "ring" | "sessions" | "showSession" | "showUser"
>;

const lives = async (
  deps: ResolveSessionNeeds,
  hash: Buffer,
): Promise<FoundSession | undefined> => {
  const stored = await deps.sessions.find(hash);
  const now = deps.clock();
  if (!stored || isBanned(stored.user, now) || isFormerGuest(deps.config, stored.user))
    return undefined;
  if (isBelowRequirement(deps.config, stored, now)) return undefined;
  const { expiresAt, impersonatedBy } = stored.session;
  if (expiresAt.getTime() < now) {
    await deps.sessions.deleteExpired(hash, new Date(now));
    return undefined;
  }
  const goesOn =
    impersonatedBy === null ||
    (await canContinueImpersonating(deps, { adminId: impersonatedBy, user: stored.user }));
  return goesOn ? stored : undefined;
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
 * undefined if the session has ended. A store that can be read but not written, because it is full, leaves the session as it is.
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
  const extended = await deps.sessions
    .extend(tokenHash, found.session, to)
    .catch((error: unknown) => {
      if (isUnavailable(error)) return "unavailable" as const;
      throw error;
    });
  if (extended === "unavailable")
    return show(deps, found, { token, remembered: true, isDue: true });
  if (!extended) {
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

/** Returns the session that the caller's token opens, extended if due, or undefined. */
export const resolveSession = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  { disableRefresh }: ResolveOptions,
): Promise<LiveSession | undefined> => {
  const token = caller.sessionToken;
  if (token === undefined) return undefined;
  const stored = await lives(deps, hashToken(token));
  if (!stored) return undefined;
  const remembered = isRemembered(caller, stored);
  const isDue = !disableRefresh && remembered && isExtensionDue(deps, stored);
  const mayExtend =
    !deps.config.session.deferSessionRefresh ||
    caller.operation === operations.identity.refreshSession.name;
  return isDue && mayExtend
    ? extend(deps, token, stored)
    : show(deps, stored, { token, remembered, isDue });
};

/** Returns the caller's session: the one of an API key, for which the gateway vouches, or that of the session token. */
export const resolveCaller = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
  options: ResolveOptions,
): Promise<ResolvedSession | undefined> =>
  caller.apiKeyId === undefined
    ? resolveSession(deps, caller, options)
    : vouchedSession(caller, deps.config.additionalFields);

/** Returns the caller's session, unless an admin impersonates the user in it: such a session proves nothing about its user. */
export const findOwnSession = async (
  deps: ResolveSessionNeeds,
  caller: Caller,
): Promise<LiveSession | undefined> => {
  const current = await resolveSession(deps, caller, { disableRefresh: true });
  return current?.session.impersonatedBy ? undefined : current;
};
