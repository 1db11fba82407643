import type { CachedSession, FullUser, Session } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { requirementOf } from "../second-factor/requirement.ts";

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
