import type { CachedSession, FullUser, Session } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** As JSON; what is longer fits no cookie, and too much of it no header either. */
const bytesMax = 3_072;

/**
 * What the browser may keep of a session for a while; nothing unless the options have the gateway answer from it, and
 * nothing of an impersonation or of a session with too much in it, which every request then asks for.
 */
export const cachedSession = (
  { config }: Pick<Deps, "config">,
  { session, user }: { session: Session; user: FullUser },
  epoch: number,
): { cached?: CachedSession } => {
  // An impersonation also ends with what is done to the admin, which no epoch of its user tells.
  if (!config.session.cookieCache.enabled || session.impersonatedBy) return {};
  const cached = { session, user, epoch };
  return Buffer.byteLength(JSON.stringify(cached)) > bytesMax ? {} : { cached };
};
