import { ownSessionHeader, type SessionEffect } from "@latchkey/contracts";
import { readBearerToken } from "../cookies/bearer-token.ts";
import type { SessionCookies } from "../cookies/read-session-cookies.ts";
import type { Deps } from "../deps.ts";
import { headerOf } from "../http/read-inbound.ts";
import type { Admitted } from "./admit.ts";

/** A browser holds two or three values of one name. More of them cost a look-up each. */
const triedMax = 5;

/**
 * Chooses the first active session of those that the browser sent under one name, and the first active parked session likewise. Without an
 * active one, the first counts, so that its end is answered as usual.
 */
export const chooseActiveSession = async (
  { resolveHolder }: Pick<Deps, "resolveHolder">,
  cookies: SessionCookies,
  requestId: string,
): Promise<SessionCookies> => {
  const { others } = cookies;
  if (!others) return cookies;
  const firstActive = async <T>(all: readonly T[], tokenOf: (one: T) => string) => {
    const [first, ...more] = all.slice(0, triedMax);
    if (first === undefined || more.length === 0) return first;
    const holders = await Promise.all(
      [first, ...more].map(async (one) =>
        (await resolveHolder({ token: tokenOf(one), requestId })) === undefined ? undefined : one,
      ),
    );
    return holders.find((one) => one !== undefined) ?? first;
  };
  const { token, parkedSession } = cookies;
  const [active, parked] = await Promise.all([
    firstActive(token === undefined ? [] : [token, ...others.tokens], (one) => one),
    firstActive(
      parkedSession === undefined ? [] : [parkedSession, ...others.parkedSessions],
      (one) => one.token,
    ),
  ]);
  return { ...cookies, token: active, parkedSession: parked };
};

/**
 * Returns whether a page of our own origin sent the request. Browsers name the site of a page where the connection is secure. Elsewhere the
 * origin decides: a page of another origin cannot send a header of its own without it.
 */
const isOfOwnPage = ({ inbound, trust }: Pick<Admitted, "inbound" | "trust">): boolean => {
  const site = headerOf(inbound.request, "sec-fetch-site");
  const { origin } = inbound.request.headers;
  return (
    (site === undefined || site === "same-origin") &&
    (origin === undefined || site === "same-origin" || origin === trust.ownOrigin)
  );
};

/** Returns whether a request names the admin's own session while the browser may keep it aside. */
export const namesOwnSession = (
  admitted: Pick<Admitted, "inbound" | "operation" | "trust">,
  { parkedSession }: SessionCookies,
): boolean =>
  parkedSession !== undefined &&
  !admitted.operation.actsOnBrowser &&
  headerOf(admitted.inbound.request, ownSessionHeader) === "own" &&
  isOfOwnPage(admitted);

interface Live {
  session: { expiresAt: string; impersonatedBy?: string | null };
  user: { id: string };
}

/** Gives the browser back to the admin, because the impersonation is over. */
export interface Return {
  effect: SessionEffect;
  /** The cookies as they were sent. */
  held: SessionCookies;
}

/** The session of a request that names the admin's own one. */
export interface OwnSession {
  cookies: SessionCookies;
  returns?: Return;
}

/**
 * Finds the admin's own session. During an impersonation it is the parked one. Once the impersonation is over, the parked session becomes
 * that of the browser again. A browser in which a user has signed in since holds no impersonation, so that session counts. A session of
 * anybody but the impersonating admin is never used.
 */
export const findOwnSession = async (
  { clock, resolveHolder }: Pick<Deps, "clock" | "resolveHolder">,
  cookies: SessionCookies,
  requestId: string,
): Promise<OwnSession> => {
  const { token, parkedSession } = cookies;
  if (!parkedSession) return { cookies };
  const find = async (held: string): Promise<Live | undefined> => {
    const json = await resolveHolder({ token: held, requestId });
    return json === undefined ? undefined : (JSON.parse(json) as Live);
  };
  const [current, parked] = await Promise.all([token && find(token), find(parkedSession.token)]);
  if (!parked || parked.session.impersonatedBy) return { cookies };
  if (current && current.session.impersonatedBy !== parked.user.id) return { cookies };
  const { browserSession } = parkedSession;
  const own = { ...cookies, token: parkedSession.token, browserSession, cache: undefined };
  if (current) return { cookies: { ...own, parkedSession: undefined, impersonation: cookies } };
  const remainingMilliseconds = Date.parse(parked.session.expiresAt) - clock();
  const maxAgeSeconds = browserSession
    ? null
    : Math.max(1, Math.floor(remainingMilliseconds / 1000));
  return {
    cookies: { ...own, parkedSession: undefined, holdsParked: false },
    returns: {
      effect: { kind: "issue", token: parkedSession.token, maxAgeSeconds, unparks: true },
      held: cookies,
    },
  };
};

/** Returns the session that the client holds. Without a session cookie, the bearer token counts. */
export const withBearer = (
  { config, ring }: Pick<Deps, "config" | "ring">,
  { inbound }: Pick<Admitted, "inbound">,
  cookies: SessionCookies,
): SessionCookies => {
  if (cookies.token !== undefined) return cookies;
  const { authorization } = inbound.request.headers;
  return { ...cookies, token: readBearerToken(ring, config.bearer, authorization) };
};
