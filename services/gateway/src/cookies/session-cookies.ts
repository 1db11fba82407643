import type { FastifyInstance } from "fastify";
import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import type { BaseUrl } from "../origins/base-url.ts";
import { createDeviceSessionCookies, deviceSessionCookies } from "./device-session-cookies.ts";
import { createKeptCookieReader } from "./kept-cookies.ts";
import { createSessionCookieReader } from "./read-session-cookies.ts";
import { createSessionCookieWriter } from "./write-session-cookies.ts";
import { parseCookieValues, convertEach } from "./cookie-values.ts";
import { type CookieConfig, type CookieName, describeCookie } from "./describe-cookie.ts";

/** Creates a reader of all values of one cookie that we signed, in the order sent. */
const createSignedCookieReader = (
  app: FastifyInstance,
  { config, ring }: { config: CookieConfig; ring: SecretRing },
  cookie: CookieName,
): ((header: string | undefined) => string[]) => {
  const { name } = describeCookie(config, cookie);
  return (header) =>
    convertEach(parseCookieValues(app, header)(name), (value) => verifySignedValue(ring, value));
};

/** The cookies that carry authority: a session, its cache, a parked session, a started sign-in. */
const telling = [
  "session_token",
  "session_data",
  "admin_session",
  "state",
  ...deviceSessionCookies,
] as const satisfies CookieName[];

/** Creates a check whether a Cookie header holds one of them, valid or not. Cookies of others in the browser do not count. */
const createOwnCookieTest = (
  app: FastifyInstance,
  { config }: { config: CookieConfig },
): ((header: string | undefined) => boolean) => {
  const names = telling.map((name) => describeCookie(config, name).name);
  return (header) => {
    const valuesOf = parseCookieValues(app, header);
    return names.some((name) => valuesOf(name).length > 0);
  };
};

/** Reads and writes the cookies of a session. */
export type SessionCookieJar = ReturnType<typeof createSessionCookies>;

/** Creates the reader and writer of session cookies. No other code knows their signatures. */
export const createSessionCookies = (
  app: FastifyInstance,
  needs: Parameters<typeof createSessionCookieWriter>[1],
) => ({
  read: createSessionCookieReader(app, needs),
  /** The states of sign-ins at a provider. */
  readStates: createSignedCookieReader(app, needs, "state"),
  /** Identifies the browser that requested a mailed link. */
  readLinkBrowsers: createSignedCookieReader(app, needs, "mailed_link"),
  holdsOwn: createOwnCookieTest(app, needs),
  readKept: createKeptCookieReader(app, needs),
  /** The sessions of different users that the browser holds. */
  readDeviceSessions: createDeviceSessionCookies(app, needs).read,
  ...createSessionCookieWriter(app, needs),
});

/** Chooses the cookies of a request by the origin under which its client reached us. */
export type ChooseJar = (baseUrl: Pick<BaseUrl, "origin">) => SessionCookieJar;

/**
 * Cookies are secure if options or a configured base URL say so. Otherwise the base URL of each request decides, which is https only if a
 * trusted proxy reports it.
 */
export const createJarChooser = (
  app: FastifyInstance,
  needs: Parameters<typeof createSessionCookies>[1],
): ChooseJar => {
  const { config } = needs;
  const jarOf = (useSecureCookies: boolean | undefined) =>
    createSessionCookies(app, {
      ...needs,
      config: { ...config, advanced: { ...config.advanced, useSecureCookies } },
    });
  if (config.advanced.useSecureCookies !== undefined || config.baseURL !== undefined) {
    const jar = jarOf(config.advanced.useSecureCookies);
    return () => jar;
  }
  const [secure, plain] = [jarOf(true), jarOf(false)];
  return ({ origin }) => (origin.startsWith("https://") ? secure : plain);
};
