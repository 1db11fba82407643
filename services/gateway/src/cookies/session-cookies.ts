import type { FastifyInstance } from "fastify";
import { createOwnCookieTest } from "./holds-own-cookie.ts";
import { createSessionCookieReader } from "./read-session-cookies.ts";
import { createSignInStateReader } from "./read-sign-in-state.ts";
import { createSessionCookieWriter } from "./write-session-cookies.ts";

/** Reads and writes the cookies of a session. */
export type SessionCookieJar = ReturnType<typeof createSessionCookies>;

/** Makes what reads and writes the cookies of a session; nothing else knows their signatures. */
export const createSessionCookies = (
  app: FastifyInstance,
  needs: Parameters<typeof createSessionCookieWriter>[1],
) => ({
  read: createSessionCookieReader(app, needs),
  readState: createSignInStateReader(app, needs),
  holdsOwn: createOwnCookieTest(app, needs),
  ...createSessionCookieWriter(app, needs),
});
