import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { type BrowserLike, createBrowserLike } from "../browser-like.ts";
import { replicas } from "../split/run-stack.ts";
import { adminConfig } from "./admin-people.ts";

/** Browsers keep copies of sessions. */
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
  /** Whom it shows; undefined for nobody. */
  user: { id: string; name: string } | undefined;
  cookies: string[];
  /** The gateway answered by itself: identity adds a signed token to every session that it shows. */
  isCached: boolean;
}

/** One get-session, with what the browser holds. */
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
 * A look that is as it should be. Where one gateway answers everybody, the next one has to be; what another gateway has done is
 * heard of a moment later.
 */
export const lookUntil = (browser: BrowserLike, isRight: (seen: Look) => boolean): Promise<Look> =>
  replicas === 1
    ? look(browser)
    : until(async () => {
        const seen = await look(browser);
        return isRight(seen) ? seen : undefined;
      });

export const isNobody = ({ text }: Look): boolean => text === "null";

/** Waits until the gateway answers this browser by itself. */
export const untilCached = (browser: BrowserLike): Promise<Look> =>
  until(
    async () => {
      const seen = await look(browser);
      return seen.isCached ? seen : undefined;
    },
    { describe: "an answer from the browser's copy" },
  );

/** Another browser with the very same cookies; `url` is where it goes. */
export const withCookiesOf = (url: string, { cookies }: BrowserLike): BrowserLike => {
  const other = createBrowserLike(url);
  for (const [name, value] of cookies) other.cookies.set(name, value);
  return other;
};
