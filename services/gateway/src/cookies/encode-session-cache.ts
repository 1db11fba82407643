import type { CachedSession } from "@latchkey/contracts";
import { encodeSessionJson, type SecretRing, SessionDataTooLargeError } from "@latchkey/crypto";
import type { Logger } from "@latchkey/service-kit/observe";
import type { GatewayConfig } from "../config.ts";

/** A session to cache: its members, or the JSON text of a get-session reply. */
export type Cacheable = CachedSession | { json: string; epoch: number };

/** Encodes the value of the session cookie cache. Returns undefined if there must be none. */
export type SessionCacheEncoder = (cached: Cacheable | undefined) => string | undefined;

const sessionAndUser = ({ session, user }: Pick<CachedSession, "session" | "user">): string =>
  JSON.stringify({ session, user });

/** A session that is too large for a cookie works without the cache. That is logged once. */
export const createSessionCacheEncoder = ({
  config: { session },
  ring,
  clock,
  logger,
}: {
  config: Pick<GatewayConfig, "session">;
  ring: SecretRing;
  clock: () => number;
  logger: Pick<Logger, "warn">;
}): SessionCacheEncoder => {
  const { enabled, maxAge } = session.cookieCache;
  const jsonOf = (cached: Cacheable): string => {
    if (!("json" in cached)) return sessionAndUser(cached);
    // The reply then also has `needsRefresh`, which is outdated once it is cached.
    return session.deferSessionRefresh
      ? sessionAndUser(JSON.parse(cached.json) as CachedSession)
      : cached.json;
  };
  let isWarned = false;
  const onTooLarge = (): undefined => {
    if (!isWarned) logger.warn("sessions are too large for a cookie, not caching them");
    isWarned = true;
  };
  return (cached) => {
    if (!enabled) return undefined;
    // Identity leaves out a session that is larger than any header.
    if (!cached) return onTooLarge();
    try {
      const expiresAt = clock() + maxAge * 1000;
      return encodeSessionJson(ring, { json: jsonOf(cached), epoch: cached.epoch, expiresAt });
    } catch (error) {
      if (error instanceof SessionDataTooLargeError) return onTooLarge();
      throw error;
    }
  };
};
