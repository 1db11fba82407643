import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "./browser-like.ts";
import { codeFor, type OAuthProvider, type ProviderUser } from "./providers/oauth-provider.ts";
import type { ProviderRedirect } from "./providers/openid-provider.ts";
import type { Rows } from "./rows.ts";
import type { System } from "./start-system.ts";
import { newEmail } from "./users.ts";

/** Allows calls to the test providers on this machine. */
export const reachable = { outbound: { privateHosts: ["127.0.0.1"] } };

/** Client credentials, which the test providers do not check. */
export const credentials = { clientId: "client-1", clientSecret: "secret-1" };

/** Options of an OAuth 2 test provider. */
export const testProvider = (
  { endpoints: { authorization, token, userInfo } }: OAuthProvider,
  options?: object,
) => ({ ...credentials, endpoints: { authorization, token, userInfo }, ...options });

/** Returns a new provider profile with an unused, verified address. */
export const newProfile = (given: object = {}) => ({
  sub: newEmail(),
  name: "Ada",
  email: newEmail(),
  email_verified: true,
  ...given,
});

/** Counts users, accounts and sessions. */
export const countRows = async ({ query }: Pick<Rows, "query">) => {
  const [counted] = await query(
    `select (select count(*)::int from identity.user) as users,
            (select count(*)::int from identity.account) as accounts,
            (select count(*)::int from identity.session) as sessions`,
  );
  return counted as Record<"users" | "accounts" | "sessions", number>;
};

/** Set-Cookie that clears the sign-in state. */
export const clearedStateCookie = "auth.state=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax";

/** A redirect as a browser sees it. */
export interface RedirectResponse {
  status: number;
  location: string;
  text: string;
  cookies: string[];
  headers: Headers;
}

export const readRedirect = async (
  answer: Response | Promise<Response>,
): Promise<RedirectResponse> => {
  const response = await answer;
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    text: await response.text(),
    cookies: response.headers.getSetCookie(),
    headers: response.headers,
  };
};

export interface BegunSignIn {
  browser: BrowserLike;
  url: URL;
  state: string;
}

/** Begins a sign-in in a browser, or a linking with another path. */
export const beginSignIn = async (
  browser: BrowserLike,
  body: object,
  path = "/sign-in/social",
): Promise<BegunSignIn> => {
  const response = await browser.post(path, body);
  const answer = (await response.json()) as { url: string; redirect: boolean };
  expect([response.status, answer.redirect]).toEqual([200, true]);
  const url = new URL(answer.url);
  return { browser, url, state: url.searchParams.get("state") ?? "" };
};

/** Calls the callback of a provider with these parameters. */
export const callCallback = (
  { browser }: Pick<BegunSignIn, "browser">,
  provider: string,
  parameters: Record<string, string>,
): Promise<RedirectResponse> =>
  readRedirect(browser.get(`/callback/${provider}?${new URLSearchParams(parameters).toString()}`));

/** Follows a provider's redirect or form back to the callback. */
export const followRedirect = (
  system: Pick<System, "url">,
  browser: BrowserLike,
  { url, form, from }: ProviderRedirect,
): Promise<RedirectResponse> => {
  const path = url.href.slice(system.url.length);
  if (!form) return readRedirect(browser.get(path));
  // A browser sends no Lax cookie with a POST of a foreign page.
  return readRedirect(
    fetch(system.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { origin: from, "sec-fetch-site": "cross-site" },
      body: form,
    }),
  );
};

/** A provider profile, and how it signs in. */
export interface ProviderSignIn extends Partial<Omit<ProviderUser, "profile">> {
  profile: unknown;
  provider?: string;
  body?: object;
  browser?: BrowserLike;
}

/** Signs a user in at a test provider, by default `plain`. */
export const signInWith = async (
  system: System,
  { profile, provider = "plain", body = {}, browser, ...further }: ProviderSignIn,
): Promise<RedirectResponse & { browser: BrowserLike }> => {
  const begun = await beginSignIn(browser ?? createBrowserLike(system.url), { provider, ...body });
  const { state } = begun;
  const back = await callCallback(begun, provider, { code: codeFor(profile, further), state });
  return { ...back, browser: begun.browser };
};

/** Links an account at a test provider to the browser's user. */
export const linkWith = async ({
  browser,
  provider = "plain",
  body = {},
  profile,
  ...further
}: ProviderSignIn & { browser: BrowserLike }): Promise<RedirectResponse> => {
  const begun = await beginSignIn(browser, { provider, ...body }, "/link-social");
  return callCallback(begun, provider, { code: codeFor(profile, further), state: begun.state });
};

/** Endpoints in place of Google's own. */
export const testGoogle = ({ endpoints: { authorization, token, jwks } }: OAuthProvider) => ({
  ...credentials,
  endpoints: { authorization, token, jwks },
});

const hourSeconds = 3_600;

/** Returns an id token of Google for our client. */
export const googleToken = (
  oauth: OAuthProvider,
  claims: Record<string, unknown>,
  by?: Parameters<OAuthProvider["sign"]>[1],
): Promise<string> => {
  const iat = Math.floor(Date.now() / 1000);
  const times = { iat, exp: iat + hourSeconds };
  const jti = randomUUID(); // two tokens of one second must differ
  const own = { iss: "https://accounts.google.com", aud: credentials.clientId, jti };
  return oauth.sign({ ...own, ...times, ...claims }, by);
};
