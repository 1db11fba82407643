import { type SessionEffect, WireError } from "@latchkey/contracts";
import { type SecretRing, signValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { type CookieConfig, describeCookie } from "./describe-cookie.ts";
import type { Cacheable, SessionCacheEncoder } from "./encode-session-cache.ts";
import { createKeptCookieWriter, type SetKept } from "./kept-cookies.ts";
import { createDeviceSessionCookies } from "./device-session-cookies.ts";
import { createParkedCookieWriter } from "./parked-cookie.ts";
import { marker } from "./parked-session.ts";
import type { SessionCookies } from "./read-session-cookies.ts";
import { type CookieWriter, createCookieWriter } from "./write-cookie.ts";

type State = Extract<SessionEffect, { kind: "state" }>;
type Link = Extract<SessionEffect, { kind: "link" }>;

/** Browsers drop a cookie whose name and value are longer (RFC 6265bis, 5.6). */
const cookieCharactersMax = 4096;

/** Creates the writer of the cookies that recognize a browser when it returns from a provider or by a mailed link. */
const createReturnCookieWriter = ({ config, ring }: { config: CookieConfig; ring: SecretRing }) => {
  const { name: stateName } = describeCookie(config, "state");
  return {
    /** A state that no browser would store is refused now, not when its user returns. */
    writeState: (writer: CookieWriter, { state, maxAgeSeconds }: State): string[] => {
      if (state === null) return writer.clear("state");
      const value = signValue(ring, state);
      if (stateName.length + value.length > cookieCharactersMax)
        throw new WireError("UNABLE_TO_CREATE_VERIFICATION");
      return writer.set("state", value, maxAgeSeconds);
    },
    writeLink: (writer: CookieWriter, { browser, maxAgeSeconds }: Link): string[] =>
      writer.set("mailed_link", signValue(ring, browser), maxAgeSeconds),
  };
};

interface SetCookies extends SetKept {
  /** The signed token as in the cookie, if one was issued. */
  signedToken?: string;
}

interface Needs {
  config: CookieConfig & Pick<GatewayConfig, "lastLoginMethod" | "multiSession" | "session">;
  ring: SecretRing;
  clock: () => number;
  encodeSessionCache: SessionCacheEncoder;
}

type Issue = Extract<SessionEffect, { kind: "issue" }>;

/** The reply, which a `cache` effect stores, and the `Cookie` header of the request. */
interface Written {
  json?: string | undefined;
  header?: string | undefined;
}

const createCacheWriter = ({
  config,
  encodeSessionCache,
}: Pick<Needs, "config" | "encodeSessionCache">) => {
  const { maxAge } = config.session.cookieCache;

  /** Sets a new session cookie cache. Without one, removes an existing one. */
  return (writer: CookieWriter, cached: Cacheable | undefined, held: SessionCookies): string[] => {
    const value = encodeSessionCache(cached);
    if (value !== undefined) return writer.set("session_data", value, maxAge);
    return held.cache === undefined ? [] : writer.clear("session_data");
  };
};

const createIssueWriter = (
  { config, ring }: Pick<Needs, "config" | "ring">,
  writeCache: ReturnType<typeof createCacheWriter>,
) => {
  const parked = createParkedCookieWriter({ config, ring });
  return (writer: CookieWriter, effect: Issue, held: SessionCookies): SetCookies => {
    const signedToken = signValue(ring, effect.token);
    const cookies: string[] = [];
    if (effect.parks && held.token !== undefined) {
      const { token, browserSession } = held;
      cookies.push(...parked.write(writer, { token, browserSession }));
    }
    cookies.push(...writer.set("session_token", signedToken, effect.maxAgeSeconds ?? undefined));
    if (effect.maxAgeSeconds === null)
      cookies.push(...writer.set("dont_remember", signValue(ring, marker), undefined));
    else if (held.browserSession) cookies.push(...writer.clear("dont_remember"));
    cookies.push(...writeCache(writer, effect.cached, held));
    // Another session than the held one began, so the parked one would be left behind.
    const isOther = !effect.parks && effect.token !== held.token;
    if (effect.unparks || (isOther && held.holdsParked))
      cookies.push(...writer.clear("admin_session"));
    if (effect.endsState) cookies.push(...writer.clear("state"));
    return { cookies, signedToken };
  };
};

/** Creates the writer of the cookies that keep the device sessions (ADR 119), and the method of the last sign-in (ADR 120). */
const createBesideWriter = (
  app: FastifyInstance,
  { config, ring, clock }: Omit<Needs, "encodeSessionCache">,
) => {
  const { enabled, maxAge } = config.lastLoginMethod;
  const deviceSessions = config.multiSession.enabled
    ? createDeviceSessionCookies(app, { config, ring, clock })
    : undefined;
  return (
    writer: CookieWriter,
    effect: SessionEffect,
    sent: { held: SessionCookies; header: string | undefined },
  ): string[] => {
    const method = enabled && "signedInBy" in effect ? effect.signedInBy : undefined;
    return [
      ...(deviceSessions?.write(writer, effect, sent) ?? []),
      ...(method === undefined
        ? []
        : writer.set("last_login_method", encodeURIComponent(method), maxAge)),
    ];
  };
};

/** Creates the writer of the Set-Cookie headers of a session. */
export const createSessionCookieWriter = (
  app: FastifyInstance,
  { config, ring, clock, encodeSessionCache }: Needs,
) => {
  const writerFor = createCookieWriter(app, { config, ring });
  const writeKept = createKeptCookieWriter(ring);
  const { writeState, writeLink } = createReturnCookieWriter({ config, ring });
  const parked = createParkedCookieWriter({ config, ring });
  const writeCache = createCacheWriter({ config, encodeSessionCache });
  const writeIssue = createIssueWriter({ config, ring }, writeCache);
  const writeBeside = createBesideWriter(app, { config, ring, clock });

  const writeSession = (
    writer: CookieWriter,
    effect: SessionEffect,
    { held, json }: { held: SessionCookies; json: string },
  ): SetCookies => {
    const besides = held.impersonation ? parked.writeBesides(writer, effect) : undefined;
    if (besides) return { cookies: besides };
    if (effect.kind === "issue") return writeIssue(writer, effect, held.impersonation ?? held);
    if (effect.kind === "state") return { cookies: writeState(writer, effect) };
    if (effect.kind === "link") return { cookies: writeLink(writer, effect) };
    if (effect.kind === "keep") return { cookies: effect.endsState ? writer.clear("state") : [] };
    if (effect.kind === "cache")
      return { cookies: writeCache(writer, { json, epoch: effect.epoch }, held) };
    const cookies = [
      ...writer.clear("session_token"),
      ...writer.clear("session_data"),
      ...writer.clear("dont_remember"),
    ];
    if (held.holdsParked) cookies.push(...writer.clear("admin_session"));
    if (effect.endsState) cookies.push(...writer.clear("state"));
    return { cookies };
  };

  /** Returns the cookies that apply an effect to a browser that holds the given ones. */
  const write = (
    effect: SessionEffect,
    held: SessionCookies,
    { json = "", header }: Written = {},
  ): SetCookies => {
    const writer = writerFor(header);
    const session = writeSession(writer, effect, { held, json });
    const endsWaiting = effect.kind === "issue" || effect.kind === "clear";
    const keptCookies = writeKept(writer, {
      ...(endsWaiting && held.holdsTwoFactor ? { twoFactor: null } : {}),
      ...("keeps" in effect ? effect.keeps : {}),
    });
    const beside = writeBeside(writer, effect, { held, header });
    return {
      ...session,
      ...keptCookies,
      cookies: [...session.cookies, ...keptCookies.cookies, ...beside],
    };
  };

  /** Returns the headers that delete the session cookie cache. */
  const clearCache = (header?: string): string[] => writerFor(header).clear("session_data");

  return { write, clearCache };
};
