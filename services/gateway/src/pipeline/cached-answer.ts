import { type Operation, operations } from "@latchkey/contracts";
import type { CopyOutcome } from "../cookies/count-copy.ts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCopy } from "../cookies/session-copies.ts";
import type { Deps } from "../deps.ts";
import type { Inbound } from "./read-inbound.ts";

/** The use of the session cookie cache for a request. */
export interface CachedAnswer {
  /** Session and user as get-session returns them, if the cache is trusted. */
  json: string | undefined;
  /** Whether the cache can never be trusted. */
  isBad: boolean;
}

type Needs = Pick<Deps, "clock" | "config" | "countCopy" | "epochs" | "sessionCopies">;

const { getSession } = operations.identity;
const nothing: CachedAnswer = { json: undefined, isBad: false };

/** Returns whether the query allows the cache to answer. An invalid query is left to the owner, which refuses it. */
const allowsCopy = (operation: Operation, { search, request }: Inbound): boolean => {
  if (search === "") return true;
  if (operation.name !== getSession.name && operation.query) return true;
  const query = getSession.query.safeParse(request.query);
  return query.success && !query.data.disableCookieCache;
};

/** A cache is valid only for its own token, while the session is active, and until its user has a newer version. */
const isGood = (deps: Needs, copy: SessionCopy, token: string): boolean =>
  copy.token === token &&
  copy.sessionExpiresAt > deps.clock() &&
  copy.epoch !== undefined &&
  deps.epochs.isCurrent(copy.userId, copy.epoch);

/** Returns whether the owner of an operation gets the session from the gateway, because it stores neither sessions nor users. */
export const needsSession = ({ owner, access }: Operation): boolean =>
  owner !== "identity" && access !== "anyone";

type Found = { outcome: Exclude<CopyOutcome, "hit"> } | { outcome: "hit"; copy: SessionCopy };

const lookAtCopy = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  { token, value }: { token: string; value: string | undefined },
): Found => {
  if (value === undefined) return { outcome: "absent" };
  const copy = deps.sessionCopies.read(value, token);
  if (!copy) return { outcome: "bad" };
  if (!deps.config.answersFromCookie || !allowsCopy(operation, inbound))
    return { outcome: "bypassed" };
  return isGood(deps, copy, token) ? { outcome: "hit", copy } : { outcome: "stale" };
};

/** Returns the session from the cookies alone. A bearer token has no cache. */
export const readCachedAnswer = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  { token, copy: value }: SessionCookies,
): CachedAnswer => {
  const asks = operation.name === getSession.name || needsSession(operation);
  if (!asks || token === undefined) return nothing;
  const found = lookAtCopy(deps, { operation, inbound }, { token, value });
  deps.countCopy(found.outcome);
  if (found.outcome === "bad") return { json: undefined, isBad: true };
  return found.outcome === "hit" ? { json: found.copy.json, isBad: false } : nothing;
};
