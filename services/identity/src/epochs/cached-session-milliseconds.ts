import type { IdentityConfig } from "../config.ts";

/** Clocks of services may differ by so much, and an answer may be this old when it becomes a cookie. */
const marginMilliseconds = 120_000;

/** The longest that a cached session can be about. */
export const cachedSessionMilliseconds = ({ session }: Pick<IdentityConfig, "session">): number =>
  session.cookieCache.maxAge * 1000 + marginMilliseconds;
