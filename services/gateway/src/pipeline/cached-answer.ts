import { type Operation, operations } from "@latchkey/contracts";
import type { SessionCacheOutcome } from "../cookies/count-session-cache.ts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCache } from "../cookies/read-session-cache.ts";
import type { Deps } from "../deps.ts";
import type { Inbound } from "./read-inbound.ts";

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
const nothing: CachedAnswer = { json: undefined, isBad: false };

/**
 * Returns whether operation and query allow the cache to answer. The cache does not say when its user was authenticated, on which step-up
 * depends. An invalid query is left to the owner, which refuses it.
 */
const allowsCache = (operation: Operation, { search, request }: Inbound): boolean => {
  if (operation.stepUp) return false;
  if (search === "") return true;
  if (operation.name !== getSession.name && operation.query) return true;
  const query = getSession.query.safeParse(request.query);
  return query.success && !query.data.disableCookieCache;
};

/** A cache is valid only for its own token, while the session is active, and until its user has a newer revision. */
const isValid = (deps: Needs, cache: SessionCache, token: string): boolean =>
  cache.token === token &&
  cache.sessionExpiresAt > deps.clock() &&
  cache.epoch !== undefined &&
  deps.revisions.isCurrent(cache.userId, cache.epoch);

/** Returns whether the owner of an operation gets the session from the gateway, because it stores neither sessions nor users. */
export const needsSession = ({ owner, access }: Operation): boolean =>
  owner !== "identity" && access !== "anyone";

type Found =
  | { outcome: Exclude<SessionCacheOutcome, "hit"> }
  | { outcome: "hit"; cache: SessionCache };

const findCache = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  { cookies, token }: { cookies: SessionCookies; token: string },
): Found => {
  if (cookies.cache === undefined) return { outcome: "absent" };
  const cache = deps.sessionCacheReader.read(cookies);
  if (!cache) return { outcome: "bad" };
  if (!deps.config.answersFromCookie || !allowsCache(operation, inbound))
    return { outcome: "bypassed" };
  return isValid(deps, cache, token) ? { outcome: "hit", cache } : { outcome: "stale" };
};

/** Returns the session from the cookies alone. A bearer token has no cache. */
export const readCachedAnswer = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  cookies: SessionCookies,
): CachedAnswer => {
  const asks = operation.name === getSession.name || needsSession(operation);
  const { token } = cookies;
  if (!asks || token === undefined) return nothing;
  const found = findCache(deps, { operation, inbound }, { cookies, token });
  deps.countSessionCache(found.outcome);
  if (found.outcome === "bad") return { json: undefined, isBad: true };
  return found.outcome === "hit" ? { json: found.cache.json, isBad: false } : nothing;
};
