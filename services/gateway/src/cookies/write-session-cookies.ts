import type { SessionEffect } from "@latchkey/contracts";
import { type SecretRing, signValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { type Cookie, type CookieConfig, describeCookie } from "./describe-cookie.ts";
import type { Cacheable, SessionCacheEncoder } from "./encode-session-cache.ts";
import { createKeptCookieWriter, type SetKept } from "./kept-cookies.ts";
import { createParkedCookieWriter } from "./parked-cookie.ts";
import { marker } from "./parked-session.ts";
import type { SessionCookies } from "./read-session-cookies.ts";
import { createReturnCookieWriter } from "./return-cookies.ts";
import { createCookieSerializer } from "./serialize-cookie.ts";

interface SetCookies extends SetKept {
  /** The signed token as in the cookie, if one was issued. */
  signedToken?: string;
}

interface Needs {
  config: CookieConfig & Pick<GatewayConfig, "session">;
  ring: SecretRing;
  encodeSessionCache: SessionCacheEncoder;
}

type Issue = Extract<SessionEffect, { kind: "issue" }>;

const createCacheWriter = (
  app: FastifyInstance,
  { config, encodeSessionCache }: Omit<Needs, "ring">,
) => {
  const serialize = createCookieSerializer(app);
  const cookie = describeCookie(config, "session_data");
  const { maxAge } = config.session.cookieCache;
  const clear = (): string => serialize(cookie, "", 0);

  /** Sets a new session cookie cache. Without one, removes an existing one. */
  const write = (cached: Cacheable | undefined, held: SessionCookies): string[] => {
    const value = encodeSessionCache(cached);
    if (value !== undefined) return [serialize(cookie, value, maxAge)];
    return held.cache === undefined ? [] : [clear()];
  };
  return { write, clear };
};

/** Creates the writer of the Set-Cookie headers of a session. */
export const createSessionCookieWriter = (
  app: FastifyInstance,
  { config, ring, encodeSessionCache }: Needs,
) => {
  const serialize = createCookieSerializer(app);
  const tokenCookie = describeCookie(config, "session_token");
  const markerCookie = describeCookie(config, "dont_remember");
  const stateCookie = describeCookie(config, "state");
  const writeKept = createKeptCookieWriter(app, { config, ring });
  const { writeState, writeLink } = createReturnCookieWriter(app, { config, ring });
  const parked = createParkedCookieWriter(app, { config, ring });
  const cache = createCacheWriter(app, { config, encodeSessionCache });
  const clear = (cookie: Cookie) => serialize(cookie, "", 0);

  const writeIssue = (effect: Issue, held: SessionCookies): SetCookies => {
    const signedToken = signValue(ring, effect.token);
    const cookies: string[] = [];
    if (effect.parks && held.token !== undefined)
      cookies.push(parked.write({ token: held.token, browserSession: held.browserSession }));
    cookies.push(serialize(tokenCookie, signedToken, effect.maxAgeSeconds ?? undefined));
    if (effect.maxAgeSeconds === null)
      cookies.push(serialize(markerCookie, signValue(ring, marker), undefined));
    else if (held.browserSession) cookies.push(clear(markerCookie));
    cookies.push(...cache.write(effect.cached, held));
    // Another session than the held one began, so the parked one would be left behind.
    const isOther = !effect.parks && effect.token !== held.token;
    if (effect.unparks || (isOther && held.holdsParked)) cookies.push(parked.clear());
    if (effect.endsState) cookies.push(clear(stateCookie));
    return { cookies, signedToken };
  };

  const writeSession = (effect: SessionEffect, held: SessionCookies, json: string): SetCookies => {
    const besides = held.impersonation ? parked.writeBesides(effect) : undefined;
    if (besides) return { cookies: besides };
    if (effect.kind === "issue") return writeIssue(effect, held.impersonation ?? held);
    if (effect.kind === "state") return { cookies: [writeState(effect)] };
    if (effect.kind === "link") return { cookies: [writeLink(effect)] };
    if (effect.kind === "keep") return { cookies: [] };
    if (effect.kind === "cache") {
      const cached = { json, epoch: effect.epoch };
      return { cookies: cache.write(cached, held) };
    }
    const cookies = [clear(tokenCookie), cache.clear(), clear(markerCookie)];
    if (held.holdsParked) cookies.push(parked.clear());
    if (effect.endsState) cookies.push(clear(stateCookie));
    return { cookies };
  };

  /** Returns the cookies that apply an effect to a browser that holds the given ones. `json` is the reply, which a `cache` effect stores. */
  const write = (effect: SessionEffect, held: SessionCookies, json = ""): SetCookies => {
    const session = writeSession(effect, held, json);
    const endsWaiting = effect.kind === "issue" || effect.kind === "clear";
    const kept = writeKept({
      ...(endsWaiting && held.holdsTwoFactor ? { twoFactor: null } : {}),
      ...("keeps" in effect ? effect.keeps : {}),
    });
    return { ...session, ...kept, cookies: [...session.cookies, ...kept.cookies] };
  };

  return { write, clearCache: cache.clear };
};
