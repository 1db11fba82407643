import type { FastifyInstance } from "fastify";
import type { BaseUrl } from "../pipeline/base-url.ts";
import { createOwnCookieTest } from "./holds-own-cookie.ts";
import { createKeptCookieReader } from "./kept-cookies.ts";
import { createSessionCookieReader } from "./read-session-cookies.ts";
import { createSignedCookieReader } from "./read-signed-cookie.ts";
import { createSessionCookieWriter } from "./write-session-cookies.ts";

/** Reads and writes the cookies of a session. */
export type SessionCookieJar = ReturnType<typeof createSessionCookies>;

/** Creates the reader and writer of session cookies. No other code knows their signatures. */
export const createSessionCookies = (
  app: FastifyInstance,
  needs: Parameters<typeof createSessionCookieWriter>[1],
) => ({
  read: createSessionCookieReader(app, needs),
  /** The state of a sign-in at a provider. */
  readState: createSignedCookieReader(app, needs, "state"),
  /** Identifies the browser that requested a mailed link. */
  readLinkBrowser: createSignedCookieReader(app, needs, "mailed_link"),
  holdsOwn: createOwnCookieTest(app, needs),
  readKept: createKeptCookieReader(app, needs),
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
