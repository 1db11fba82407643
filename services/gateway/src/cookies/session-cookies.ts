import type { SerializeOptions } from "@fastify/cookie";
import type { CookieAttributes, SessionEffect } from "@latchkey/contracts";
import { type SecretRing, signValue, verifySignedValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";

type CookieName = "session_token" | "session_data" | "dont_remember";
type Config = Pick<GatewayConfig, "advanced"> & Partial<Pick<GatewayConfig, "baseURL">>;

/** What a request's cookies say of its session, signatures checked. */
export interface SessionCookies {
  token: string | undefined;
  /** The marker of a session that ends with the browser. */
  browserSession: boolean;
}

export interface SetCookies {
  cookies: string[];
  /** The signed token as it stands in the cookie, where one was issued. */
  signedToken: string | undefined;
}

const inOrder: readonly CookieName[] = ["session_token", "session_data", "dont_remember"];
const marker = "true";

interface Cookie {
  name: string;
  attributes: CookieAttributes & { secure: boolean };
}

const describeCookie = (config: Config, name: CookieName): Cookie => {
  const { advanced, baseURL } = config;
  const secure = advanced.useSecureCookies ?? baseURL?.startsWith("https://") ?? false;
  const override = advanced.cookies[name];
  const { crossSubDomainCookies: shared } = advanced;
  const domain = shared.enabled ? (shared.domain ?? new URL(baseURL ?? "").hostname) : undefined;
  return {
    name: `${secure ? "__Secure-" : ""}${override?.name ?? `${advanced.cookiePrefix}.${name}`}`,
    attributes: {
      path: "/",
      httpOnly: true,
      sameSite: "lax",
      ...(domain ? { domain } : {}),
      ...advanced.defaultCookieAttributes,
      ...override?.attributes,
      secure, // goes with the name's prefix
    },
  };
};

const unquoted = (value: string) =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;

const asItIs = (value: string) => value;

/** Reads and writes the cookies of a session. */
export type SessionCookieJar = ReturnType<typeof createSessionCookies>;

/** Makes what reads and writes the cookies of a session; the one place that knows their names, attributes and signatures. */
export const createSessionCookies = (app: FastifyInstance, config: Config, ring: SecretRing) => {
  const cookies = {
    session_token: describeCookie(config, "session_token"),
    session_data: describeCookie(config, "session_data"),
    dont_remember: describeCookie(config, "dont_remember"),
  };

  const serialize = ({ name, attributes }: Cookie, value: string, maxAge: number | undefined) => {
    const { partitioned, ...rest } = attributes;
    const lifetime = maxAge === undefined ? {} : { maxAge };
    // Signed values come percent-encoded already. The schema writes absent members as possibly undefined.
    const options = { ...rest, ...lifetime, encode: asItIs } as SerializeOptions;
    const cookie = app.serializeCookie(name, value, options);
    return partitioned ? `${cookie}; Partitioned` : cookie; // last, as this wire has it
  };

  const read = (header: string | undefined): SessionCookies => {
    if (header === undefined) return { token: undefined, browserSession: false };
    const sent = app.parseCookie(header);
    const signed = (cookie: Cookie) => {
      const value = sent[cookie.name];
      return value === undefined ? undefined : verifySignedValue(ring, unquoted(value));
    };
    return {
      token: signed(cookies.session_token),
      browserSession: signed(cookies.dont_remember) === marker,
    };
  };

  /** What carries out an effect on a browser that holds, or holds not, the marker of a browser session. */
  const write = (effect: SessionEffect, browserSession: boolean): SetCookies => {
    if (effect.kind === "clear")
      return {
        cookies: inOrder.map((name) => serialize(cookies[name], "", 0)),
        signedToken: undefined,
      };
    const signedToken = signValue(ring, effect.token);
    const remembered = effect.maxAgeSeconds !== null;
    const set = [serialize(cookies.session_token, signedToken, effect.maxAgeSeconds ?? undefined)];
    if (!remembered) set.push(serialize(cookies.dont_remember, signValue(ring, marker), undefined));
    else if (browserSession) set.push(serialize(cookies.dont_remember, "", 0));
    return { cookies: set, signedToken };
  };

  return { read, write };
};
