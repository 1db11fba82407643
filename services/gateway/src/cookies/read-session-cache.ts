import { decodeSessionData, type SecretRing } from "@latchkey/crypto";
import type { SessionCookies } from "./read-session-cookies.ts";

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

/** Reads the session cookie cache of a request. Returns undefined unless we signed it and it has not expired. */
export interface SessionCacheReader {
  read(cookies: Pick<SessionCookies, "cache">): SessionCache | undefined;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Creates the reader. It verifies the cache of the same object once, and the reader of cookies returns the same object for the same header. */
export const createSessionCacheReader = ({
  ring,
  clock,
}: {
  ring: SecretRing;
  clock: () => number;
}): SessionCacheReader => {
  const verified = new WeakMap<Pick<SessionCookies, "cache">, SessionCache>();

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
    read: (cookies) => {
      const now = clock();
      const remembered = verified.get(cookies);
      if (remembered) return remembered.expiresAt < now ? undefined : remembered;
      const cache = cookies.cache === undefined ? undefined : verify(cookies.cache, now);
      if (cache) verified.set(cookies, cache);
      return cache;
    },
  };
};
