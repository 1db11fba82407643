import type { CachedSession } from "@latchkey/contracts";
import { encodeSessionData, SessionDataTooLargeError } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

/** Encodes the value of the session cookie cache. Returns undefined if there must be none. */
export type CopyEncoder = (cached: CachedSession | undefined) => string | undefined;

/** A session that is too large for a cookie works without the cache. That is logged once. */
export const createCopyEncoder = ({
  config: { session },
  ring,
  clock,
  logger,
}: Pick<Deps, "clock" | "ring"> & {
  config: Pick<Deps["config"], "session">;
  logger: Pick<Deps["logger"], "warn">;
}): CopyEncoder => {
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
