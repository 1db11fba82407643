import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { type BrowserLike, createBrowserLike } from "./browser-like.ts";
import { serviceConfig } from "./operations.ts";
import { replicaCount } from "./configure-system.ts";

/** Returns options that let browsers cache sessions. */
export const cachingConfig = (own: LatchkeyConfig = {}): LatchkeyConfig => ({
  ...serviceConfig,
  session: { cookieCache: { enabled: true } },
  ...own,
});

export const sessionDataCookie = "auth.session_data";
export const sessionTokenCookie = "auth.session_token";

/** An answer to get-session. */
export interface CachedSession {
  status: number;
  text: string;
  /** The user, or undefined without a session. */
  user: { id: string; name: string } | undefined;
  cookies: string[];
  /** Whether the gateway answered itself: identity adds a signed token to each answer. */
  isCached: boolean;
}

/** Calls get-session with the browser's cookies. */
export const getCachedSession = async (
  browser: BrowserLike,
  query = "",
): Promise<CachedSession> => {
  const response = await browser.get(`/get-session${query}`);
  const text = await response.text();
  const body = (text === "" ? null : JSON.parse(text)) as { user?: CachedSession["user"] } | null;
  return {
    status: response.status,
    text,
    user: body?.user,
    cookies: response.headers.getSetCookie(),
    isCached: body?.user !== undefined && !response.headers.has("set-auth-jwt"),
  };
};

/**
 * Returns an answer that satisfies the condition. With one gateway, the next answer has to. With several, changes at one reach
 * the others a moment later.
 */
export const getCachedSessionUntil = (
  browser: BrowserLike,
  isRight: (answer: CachedSession) => boolean,
): Promise<CachedSession> =>
  replicaCount === 1
    ? getCachedSession(browser)
    : until(async () => {
        const answer = await getCachedSession(browser);
        return isRight(answer) ? answer : undefined;
      });

export const isSignedOut = ({ text }: CachedSession): boolean => text === "null";

/**
 * Waits until the gateway answers this browser itself. On a busy machine it may ask identity instead, because it has not heard
 * of changes for a moment.
 */
export const untilCached = (browser: BrowserLike, query = ""): Promise<CachedSession> =>
  until(
    async () => {
      const answer = await getCachedSession(browser, query);
      return answer.isCached ? answer : undefined;
    },
    { describe: "an answer from the browser's copy" },
  );

/** Returns another browser with the same cookies for the base URL `url`. */
export const withCookiesOf = (url: string, { cookies }: BrowserLike): BrowserLike => {
  const other = createBrowserLike(url);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  return other;
};
