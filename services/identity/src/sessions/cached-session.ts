import type { CachedSession, FullUser, Session } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Size limit of the JSON. A longer text fits no cookie, and too many bytes exceed the header limit. */
const bytesMax = 3_072;

/**
 * Returns the session cookie cache for the browser. Returns nothing if the cache is disabled, for an impersonation, or
 * for a session that is too large. Every request then reads the session from the store.
 */
export const cachedSession = (
  { config }: Pick<Deps, "config">,
  { session, user }: { session: Session; user: FullUser },
  epoch: number,
): { cached?: CachedSession } => {
  // An impersonation also ends with changes of the admin, which do not change the user revision of its user.
  if (!config.session.cookieCache.enabled || session.impersonatedBy) return {};
  const cached = { session, user, epoch };
  return Buffer.byteLength(JSON.stringify(cached)) > bytesMax ? {} : { cached };
};
