import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { replicas } from "../split/run-stack.ts";
import { adminConfig } from "./admin-people.ts";

/** Returns options that let browsers cache sessions. */
export const cachingConfig = (
  session: LatchkeyConfig["session"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({
  ...adminConfig,
  ...own,
  session: { cookieCache: { enabled: true }, ...session },
});

export const copyName = "auth.session_data";
export const tokenName = "auth.session_token";

/** An answer to get-session. */
export interface Look {
  status: number;
  text: string;
  /** The user, or undefined without a session. */
  user: { id: string; name: string } | undefined;
  cookies: string[];
  /** Whether the gateway answered itself: identity adds a signed token to each answer. */
  isCached: boolean;
}

/** Calls get-session with the browser's cookies. */
export const look = async (browser: BrowserLike, query = ""): Promise<Look> => {
  const response = await browser.get(`/get-session${query}`);
  const text = await response.text();
  const body = (text === "" ? null : JSON.parse(text)) as { user?: Look["user"] } | null;
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
export const lookUntil = (browser: BrowserLike, isRight: (seen: Look) => boolean): Promise<Look> =>
  replicas === 1
    ? look(browser)
    : until(async () => {
        const seen = await look(browser);
        return isRight(seen) ? seen : undefined;
      });

export const isNobody = ({ text }: Look): boolean => text === "null";

/** Waits until the gateway answers this browser itself. */
export const untilCached = (browser: BrowserLike): Promise<Look> =>
  until(
    async () => {
      const seen = await look(browser);
      return seen.isCached ? seen : undefined;
    },
    { describe: "an answer from the browser's copy" },
  );

/** Returns another browser with the same cookies for the base URL `url`. */
export const withCookiesOf = (url: string, { cookies }: BrowserLike): BrowserLike => {
  const other = createBrowserLike(url);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  return other;
};
