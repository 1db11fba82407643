import { decodeSessionData, type SecretRing } from "@latchkey/crypto";
import { createBoundedMemo, detached } from "@latchkey/service-kit";

/** A cached session from a browser's cookie, signed by us. */
export interface SessionCache {
  token: string;
  userId: string;
  /** Undefined if it was written without a user revision. */
  epoch: number | undefined;
  /** Expiry of the cache, and of the session itself, in milliseconds since the epoch. */
  expiresAt: number;
  sessionExpiresAt: number;
  /** The body of the get-session reply. */
  json: string;
}

/** Reads the session cookie cache of a session token. Returns undefined unless we signed it and it has not expired. */
export interface SessionCacheReader {
  read(value: string, token: string): SessionCache | undefined;
}

/** Enough for the sessions of a few minutes; others are verified again. */
const bounds = { entriesMax: 10_000, charactersMax: 16 * 1024 * 1024 };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const createSessionCacheReader = ({
  ring,
  clock,
}: {
  ring: SecretRing;
  clock: () => number;
}): SessionCacheReader => {
  /** The last value of each token whose signature was valid. */
  const verified = createBoundedMemo<{ value: string; cache: SessionCache }>(bounds);

  const verify = (value: string, now: number): SessionCache | undefined => {
    const decoded = decodeSessionData(ring, value, new Date(now));
    if (!decoded.ok) return undefined;
    const { session, user, epoch } = decoded.data.session;
    return {
      token: textOf(session["token"]),
      userId: textOf(user["id"]),
      epoch,
      expiresAt: decoded.data.expiresAt,
      sessionExpiresAt: Date.parse(textOf(session["expiresAt"])),
      json: JSON.stringify({ session, user }),
    };
  };
  return {
    read: (value, token) => {
      const now = clock();
      const known = verified.get(token);
      if (known?.value === value) return known.cache.expiresAt < now ? undefined : known.cache;
      const cache = verify(value, now);
      if (cache)
        verified.set(token, {
          entry: { value: detached(value), cache },
          characters: value.length + cache.json.length,
        });
      return cache;
    },
  };
};
