import { keptCookies } from "@latchkey/contracts";
import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import { createBoundedMemo } from "@latchkey/service-kit/bounds";
import type { FastifyInstance } from "fastify";
import { convertEach, parseCookieValues } from "./cookie-values.ts";
import { type CookieConfig, describeCookie } from "./describe-cookie.ts";
import { marker, parseParked, type ParkedSession } from "./parked-session.ts";

/** The session cookies of a request, with verified signatures. */
export interface SessionCookies {
  token: string | undefined;
  /** Whether the session has the marker of a session that ends with the browser. */
  browserSession: boolean;
  /** The session of an admin during an impersonation. */
  parkedSession: ParkedSession | undefined;
  /** The cookies as they were sent, if `token` is the parked session. Changes of the session then apply to its cookie. */
  impersonation?: SessionCookies;
  /** Whether there is a cookie for a parked session, valid or not. */
  holdsParked: boolean;
  /** The session cookie cache as it was sent, not verified. */
  cache: string | undefined;
  /** Whether there is a cookie for a sign-in that waits for its second factor, valid or not. */
  holdsTwoFactor: boolean;
  /** Further values, if a name was sent more than once, in the order sent. */
  others?: {
    tokens: readonly string[];
    parkedSessions: readonly ParkedSession[];
    caches: readonly { cache: string }[];
  };
}

/** For a request without cookies. */
export const noCookies: SessionCookies = {
  token: undefined,
  browserSession: false,
  parkedSession: undefined,
  holdsParked: false,
  cache: undefined,
  holdsTwoFactor: false,
};

/** Enough for the sessions of a few minutes: 10,000 usual ones take 40 million characters. */
const bounds = { entriesMax: 10_000, charactersMax: 48 * 1024 * 1024 };

const charactersOfCaches = ({ cache, others }: SessionCookies): number =>
  [{ cache }, ...(others?.caches ?? [])].reduce((sum, one) => sum + (one.cache?.length ?? 0), 0);

/** Creates a reader of the session cookies in a Cookie header. */
export const createSessionCookieReader = (
  app: FastifyInstance,
  { config, ring }: { config: CookieConfig; ring: SecretRing },
): ((header: string | undefined) => SessionCookies) => {
  const nameOf = (name: Parameters<typeof describeCookie>[1]) => describeCookie(config, name).name;
  const tokenName = nameOf("session_token");
  const cacheName = nameOf("session_data");
  const markerName = nameOf("dont_remember");
  const parkedName = nameOf("admin_session");
  const twoFactorName = nameOf(keptCookies.twoFactor);
  /**
   * Headers with a cookie cache, for the bench row `get-session-cached`. Without one, the request needs a look-up elsewhere, and reading its
   * few cookies costs little.
   */
  const cookiesByHeader = createBoundedMemo<SessionCookies>(bounds);

  const read = (header: string): SessionCookies => {
    const valuesOf = parseCookieValues(app, header);
    const signed = (name: string) =>
      convertEach(valuesOf(name), (value) => verifySignedValue(ring, value));
    const [token, ...tokens] = signed(tokenName);
    const [parkedSession, ...parkedSessions] = signed(parkedName)
      .map(parseParked)
      .filter((parked) => parked !== undefined);
    const [cache, ...caches] = valuesOf(cacheName);
    const isRepeated = tokens.length + parkedSessions.length + caches.length > 0;
    return {
      token,
      browserSession: signed(markerName).includes(marker),
      parkedSession,
      holdsParked: valuesOf(parkedName).length > 0,
      cache,
      holdsTwoFactor: valuesOf(twoFactorName).length > 0,
      ...(isRepeated
        ? { others: { tokens, parkedSessions, caches: caches.map((other) => ({ cache: other })) } }
        : {}),
    };
  };

  return (header) => {
    if (header === undefined) return noCookies;
    if (!header.includes(cacheName)) return read(header);
    const remembered = cookiesByHeader.get(header);
    if (remembered) return remembered;
    const cookies = read(header);
    // A client can send any number of headers without a valid session. An entry keeps its header twice, as the key and as the whole of its
    // texts. It also keeps the decoded session, which takes less than twice the length of its cookie.
    if (cookies.token !== undefined)
      cookiesByHeader.set(header, {
        entry: cookies,
        characters: header.length + 2 * charactersOfCaches(cookies),
      });
    return cookies;
  };
};
