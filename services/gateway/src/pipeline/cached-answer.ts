import { type Operation, operations } from "@latchkey/contracts";
import type { CopyOutcome } from "../cookies/count-copy.ts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCopy } from "../cookies/session-copies.ts";
import type { Deps } from "../deps.ts";
import type { Inbound } from "./read-inbound.ts";

/** What the copy of a session in a browser's cookie is good for. */
export interface CachedAnswer {
  /** Session and user as get-session answers them, where the copy may be believed. */
  json: string | undefined;
  /** There is a copy that nobody can ever believe. */
  isBad: boolean;
}

type Needs = Pick<Deps, "clock" | "config" | "countCopy" | "epochs" | "sessionCopies">;

const { getSession } = operations.identity;
const nothing: CachedAnswer = { json: undefined, isBad: false };

/** Whether the query leaves the answer to the copy; one that cannot be read is its owner's to refuse. */
const allowsCopy = (operation: Operation, { search, request }: Inbound): boolean => {
  if (search === "") return true;
  if (operation.name !== getSession.name && operation.query) return true;
  const query = getSession.query.safeParse(request.query);
  return query.success && !query.data.disableCookieCache;
};

/** A copy counts beside its own token only, while the session lives, and until its user moves on to another epoch. */
const isGood = (deps: Needs, copy: SessionCopy, token: string): boolean =>
  copy.token === token &&
  copy.sessionExpiresAt > deps.clock() &&
  copy.epoch !== undefined &&
  deps.epochs.isCurrent(copy.userId, copy.epoch);

/** Whether the owner of an operation is told by us who asks, because it keeps neither sessions nor users. */
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

/** What the cookies alone say of who asks; a bearer token has no copy. */
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
