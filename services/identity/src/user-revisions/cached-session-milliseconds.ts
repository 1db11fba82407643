import type { IdentityConfig } from "../config.ts";

/** Tolerance for clock differences between services and for the age of a reply when it becomes a cookie. */
const marginMilliseconds = 120_000;

/** Returns the longest time for which a cached session can exist. */
export const cachedSessionMilliseconds = ({ session }: Pick<IdentityConfig, "session">): number =>
  session.cookieCache.maxAge * 1000 + marginMilliseconds;
