import type { FastifyInstance } from "fastify";
import { type CookieConfig, type CookieName, describeCookie } from "./describe-cookie.ts";

/** The cookies that carry authority: a session, its cache, a parked session, a started sign-in. */
const telling = [
  "session_token",
  "session_data",
  "admin_session",
  "state",
] as const satisfies CookieName[];

/** Creates a check whether a Cookie header holds one of them, valid or not. Cookies of others in the browser do not count. */
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
