import type { CachedSession } from "@latchkey/contracts";
import { encodeSessionData, SessionDataTooLargeError } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

/** Makes the cookie's value of a session's copy; undefined where there is to be none. */
export type CopyEncoder = (cached: CachedSession | undefined) => string | undefined;

/** A session that is too large for a cookie works without a copy; the log says so once. */
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
    if (!isWarned)
      logger.warn("sessions with their users are too large for a cookie; these are not cached");
    isWarned = true;
  };
  return (cached) => {
    if (!enabled) return undefined;
    // Identity leaves out what is larger than any header.
    if (!cached) return onTooLarge();
    try {
      return encodeSessionData(ring, { session: cached, expiresAt: clock() + maxAge * 1000 });
    } catch (error) {
      if (error instanceof SessionDataTooLargeError) return onTooLarge();
      throw error;
    }
  };
};
