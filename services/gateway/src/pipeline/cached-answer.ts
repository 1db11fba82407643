import { type FullUser, type Operation, operations, rolesOf } from "@latchkey/contracts";
import type { SessionCacheOutcome } from "../cookies/count-session-cache.ts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCache } from "../cookies/read-session-cache.ts";
import type { Deps } from "../deps.ts";
import type { Inbound } from "../http/read-inbound.ts";

/** The use of the session cookie cache for a request. */
export interface CachedAnswer {
  /** Session and user as get-session returns them, if the cache is trusted. */
  json: string | undefined;
  /** Whether the cache can never be trusted. */
  isBad: boolean;
}

type Needs = Pick<
  Deps,
  "clock" | "config" | "countSessionCache" | "revisions" | "sessionCacheReader"
>;

const { getSession } = operations.identity;
/** For a request that the cache does not answer. */
export const notCached: CachedAnswer = { json: undefined, isBad: false };

/**
 * Returns whether operation and query allow the cache to answer. The cache does not say when its user was authenticated, on which step-up
 * depends. An invalid query is left to the owner, which refuses it.
 */
const allowsCache = (operation: Operation, { search, request }: Inbound): boolean => {
  if (operation.stepUp.asks !== "never" || operation.readsAuthentication) return false;
  if (search === "") return true;
  if (operation.name !== getSession.name && operation.query) return true;
  const query = getSession.query.safeParse(request.query);
  return query.success && !query.data.disableCookieCache;
};

/**
 * Returns whether the installation requires a second factor of a cached user who has none. The cache was then written before the
 * requirement was configured, so identity must decide.
 */
const lacksSecondFactor = (
  { config: { admin, secondFactorRequired: required } }: Pick<Deps, "config">,
  { json }: SessionCache,
): boolean => {
  if (!required || !(required.everyone || required.roles.length > 0)) return false;
  const { user } = JSON.parse(json) as { user: Pick<FullUser, "role" | "twoFactorEnabled"> };
  if (user.twoFactorEnabled) return false;
  return required.everyone || rolesOf(admin, user).some((role) => required.roles.includes(role));
};

/** A cache is valid only for its own token, while the session is active, and until its user has a newer revision. */
const isValid = (deps: Needs, cache: SessionCache, token: string): boolean =>
  cache.token === token &&
  cache.sessionExpiresAt > deps.clock() &&
  cache.epoch !== undefined &&
  deps.revisions.isCurrent(cache.userId, cache.epoch) &&
  !lacksSecondFactor(deps, cache);

/** Returns whether the owner of an operation gets the session from the gateway, because it stores neither sessions nor users. */
export const needsSession = ({ owner, access, protocol, readsSession }: Operation): boolean =>
  owner !== "identity" && (access !== "anyone" || protocol === "browser" || readsSession === true);

type Found =
  | { outcome: Exclude<SessionCacheOutcome, "hit"> }
  | { outcome: "hit"; cache: SessionCache };

/** Returns the trusted values, in the order sent. A browser may send several. */
const readCaches = (
  { sessionCacheReader }: Pick<Deps, "sessionCacheReader">,
  cookies: SessionCookies,
): SessionCache[] => {
  const first = sessionCacheReader.read(cookies);
  const others = cookies.others?.caches.map((one) => sessionCacheReader.read(one)) ?? [];
  return [first, ...others].filter((cache) => cache !== undefined);
};

const findCache = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  { cookies, token }: { cookies: SessionCookies; token: string },
): Found => {
  if (cookies.cache === undefined) return { outcome: "absent" };
  const caches = readCaches(deps, cookies);
  if (caches.length === 0) return { outcome: "bad" };
  if (!deps.config.answersFromCookie || !allowsCache(operation, inbound))
    return { outcome: "bypassed" };
  const cache = caches.find((one) => isValid(deps, one, token));
  return cache ? { outcome: "hit", cache } : { outcome: "stale" };
};

/** Returns the session from the cookies alone. A bearer token has no cache. */
export const readCachedAnswer = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  cookies: SessionCookies,
): CachedAnswer => {
  const usesSession = operation.name === getSession.name || needsSession(operation);
  const { token } = cookies;
  if (!usesSession || token === undefined) return notCached;
  const lookUp = findCache(deps, { operation, inbound }, { cookies, token });
  deps.countSessionCache(lookUp.outcome);
  if (lookUp.outcome === "bad") return { json: undefined, isBad: true };
  return lookUp.outcome === "hit" ? { json: lookUp.cache.json, isBad: false } : notCached;
};
