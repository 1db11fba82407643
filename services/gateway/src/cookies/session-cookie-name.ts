import { type CookieConfig, describeCookie } from "./describe-cookie.ts";

/** Returns the name of the cookie that holds a session's token. */
export const sessionCookieName = (config: CookieConfig): string =>
  describeCookie(config, "session_token").name;
