import type { FastifyInstance } from "fastify";
import { type CookieConfig, type CookieName, describeCookie } from "./describe-cookie.ts";

/** The cookies that stand for something: a session, a copy of it, one that is kept aside, a sign-in that has begun. */
const telling = [
  "session_token",
  "session_data",
  "admin_session",
  "state",
] as const satisfies CookieName[];

/** Makes what tells whether a Cookie header holds one of them, good or not; what others set in the browser is none. */
export const createOwnCookieTest = (
  app: FastifyInstance,
  { config }: { config: CookieConfig },
): ((header: string | undefined) => boolean) => {
  const names = telling.map((name) => describeCookie(config, name).name);
  return (header) => {
    if (header === undefined) return false;
    const sent = app.parseCookie(header);
    return names.some((name) => sent[name] !== undefined);
  };
};
