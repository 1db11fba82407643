import {
  type ResolvedSession,
  type SessionAuthentication,
  missingProof,
  requireStrongSession,
} from "@latchkey/service-kit/http";
import type { SessionEffect, CachedSession, FullUser, Session } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";
import { requirementOf } from "./requirement.ts";
import type { UserRow } from "../users/user-row.ts";

/** A live session for its owner, with the user revision that it was read with. */
export interface LiveSession extends ResolvedSession {
  epoch: number;
  remembered: boolean;
  authentication: SessionAuthentication;
  /** The session is due to be extended, but was not. */
  isDue?: boolean;
}

/** The purpose under which session tokens are sealed. */
export const sessionTokenPurpose = "session token";

/** Milliseconds since the epoch at which a session becomes due for an extension by use. */
export const extensionDueAt = (
  expiresAt: Date,
  options: { expiresIn: number; updateAge: number },
): number => expiresAt.getTime() - options.expiresIn * 1000 + options.updateAge * 1000;

/** Whole seconds left until `expiresAt`, for a cookie's Max-Age. At least 1, because 0 would delete the cookie. */
export const secondsLeft = (expiresAt: Date, now: number): number =>
  Math.max(1, Math.floor((expiresAt.getTime() - now) / 1000));

/** Reissues the browser's own session: for the remaining time, or until the browser closes. */
export const reissue = (
  deps: Pick<Deps, "clock" | "config">,
  { session, user, epoch, remembered }: Omit<LiveSession, "authentication">,
): Extract<SessionEffect, { kind: "issue" }> => ({
  kind: "issue",
  token: session.token,
  maxAgeSeconds: remembered ? secondsLeft(session.expiresAt, deps.clock()) : null,
  ...cachedSession(deps, { session, user }, epoch),
});

type Needs = Pick<Deps, "clock" | "config">;

const freshnessOf = ({ clock, config }: Needs) => ({
  now: clock(),
  freshAgeSeconds: config.session.freshAge,
});

/** Returns whether the user of a session has authenticated lately, with the second factor if that is on. */
export const isStrongSession = (deps: Needs, session: ResolvedSession): boolean =>
  missingProof(session, freshnessOf(deps)) === undefined;

/** Throws `SESSION_IS_NOT_FRESH`, with the missing proof, for a session that is not strong. */
export const requireStrong = (deps: Needs, session: ResolvedSession): void =>
  requireStrongSession(session, freshnessOf(deps));

/** Size limit of the JSON. A longer text fits no cookie, and too many bytes exceed the header limit. */
const bytesMax = 3_072;

/**
 * Returns whether the browser may hold a session in the session cookie cache. An impersonation also ends with changes of the admin,
 * which do not change the user revision of its user. A session without a second factor ends when one becomes required, which is no change
 * either.
 */
export const mayCache = (
  { config }: Pick<Deps, "config">,
  { session: { impersonatedBy }, user }: { session: Session; user: FullUser },
): boolean =>
  config.session.cookieCache.enabled &&
  !impersonatedBy &&
  (user.twoFactorEnabled === true || requirementOf(config, user) === undefined);

/**
 * Returns the session cookie cache for the browser. Returns nothing for a session that may not be cached or is too large. Every request
 * then reads the session from the store.
 */
export const cachedSession = (
  deps: Pick<Deps, "config">,
  { session, user }: { session: Session; user: FullUser },
  epoch: number,
): { cached?: CachedSession } => {
  if (!mayCache(deps, { session, user })) return {};
  const cached = { session, user, epoch };
  return Buffer.byteLength(JSON.stringify(cached)) > bytesMax ? {} : { cached };
};

type ReissueChangedNeeds = Pick<Deps, "clock" | "config" | "sessions" | "showUser">;

/**
 * Reissues the caller's own session to the browser after its user has changed. A session that ended before the change is
 * not reissued. Its session cookie cache would have the new user revision, and would be trusted although the session is
 * over. A later end of the session increments the revision again.
 */
export const reissueChanged = async (
  deps: ReissueChangedNeeds,
  { session, remembered = true }: Pick<ResolvedSession, "session" | "remembered">,
  user: UserRow,
): Promise<Extract<SessionEffect, { kind: "issue" }>> => {
  const live = { session, user: deps.showUser(user), epoch: user.revision, remembered };
  const { cached, ...bare } = reissue(deps, live);
  const isCopied = cached !== undefined && (await deps.sessions.find(hashToken(session.token)));
  return isCopied ? { ...bare, cached } : bare;
};
