import type { CachedSession } from "@latchkey/contracts";
import { encodeSessionData, type SecretRing, SessionDataTooLargeError } from "@latchkey/crypto";
import type { Logger } from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";

/** Encodes the value of the session cookie cache. Returns undefined if there must be none. */
export type SessionCacheEncoder = (cached: CachedSession | undefined) => string | undefined;

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
      return encodeSessionData(ring, { session: cached, expiresAt: clock() + maxAge * 1000 });
    } catch (error) {
      if (error instanceof SessionDataTooLargeError) return onTooLarge();
      throw error;
    }
  };
};
