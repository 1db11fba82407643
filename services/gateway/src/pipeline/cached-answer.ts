import { type Operation, operations } from "@latchkey/contracts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { SessionCopy } from "../cookies/session-copies.ts";
import type { Deps } from "../deps.ts";
import type { Inbound } from "./read-inbound.ts";

/** What the copy of a session in a browser's cookie is good for. */
export interface CachedAnswer {
  /** The reply, where the copy can answer. */
  json: string | undefined;
  /** There is a copy that nobody can ever believe. */
  isBad: boolean;
}

type Needs = Pick<Deps, "clock" | "config" | "epochs" | "sessionCopies">;

const { getSession } = operations.identity;
const nothing: CachedAnswer = { json: undefined, isBad: false };

/** Whether the query leaves the answer to the copy; one that cannot be read is identity's to refuse. */
const allowsCopy = ({ search, request }: Inbound): boolean => {
  if (search === "") return true;
  const query = getSession.query.safeParse(request.query);
  return query.success && !query.data.disableCookieCache;
};

/** A copy counts beside its own token only, while the session lives, and until its user moves on to another epoch. */
const isGood = (deps: Needs, copy: SessionCopy, token: string): boolean =>
  copy.token === token &&
  copy.sessionExpiresAt > deps.clock() &&
  copy.epoch !== undefined &&
  deps.epochs.isCurrent(copy.userId, copy.epoch);

/** What the cookies alone say to a get-session; a bearer token has no copy. */
export const readCachedAnswer = (
  deps: Needs,
  { operation, inbound }: { operation: Operation; inbound: Inbound },
  { token, copy: value }: SessionCookies,
): CachedAnswer => {
  if (operation.name !== getSession.name || token === undefined || value === undefined)
    return nothing;
  const copy = deps.sessionCopies.read(value, token);
  if (!copy) return { json: undefined, isBad: true };
  const mayAnswer = deps.config.answersFromCookie && allowsCopy(inbound);
  return mayAnswer && isGood(deps, copy, token) ? { json: copy.json, isBad: false } : nothing;
};
