import type { LatchkeyConfig } from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { expect } from "vitest";
import { type BrowserLike, createBrowserLike } from "../../harness/browser-like.ts";
import {
  closeConnection,
  type OAuthProvider,
  type Respond,
  respondWith,
  respondWithText,
} from "../../harness/providers/oauth-provider.ts";
import { canary } from "./canary.ts";

/** Texts that a provider and our system exchange, and tokens that only an account's owner may read. */
export const providerCanaries = {
  clientSecret: canary("client-secret"),
  accessToken: canary("access-token"),
  refreshToken: canary("refresh-token"),
  providersWords: canary("providers-words"),
};
const { accessToken, refreshToken, clientSecret, providersWords } = providerCanaries;

/** The provider under two ids: with id tokens, and with its endpoints only. */
export const providersAt = ({ endpoints }: OAuthProvider): LatchkeyConfig => {
  const { authorization, token, jwks, revoke, userInfo } = endpoints;
  const client = { clientId: "canary-client", clientSecret };
  return {
    socialProviders: {
      google: { ...client, endpoints: { authorization, token, jwks, revoke } },
      forum: { ...client, endpoints: { authorization, token, revoke, userInfo } },
    },
    advanced: { outbound: { privateHosts: ["127.0.0.1"] } },
  };
};

const tokens = {
  access_token: accessToken,
  refresh_token: refreshToken,
  token_type: "bearer",
  expires_in: 3_600,
};

/** Echoes the request and adds text, as careless providers do. */
export const echo: Respond = (response, { parameters, headers }) => {
  const sent = { ...parameters, authorization: headers["authorization"] };
  respondWith({ ...sent, error: "invalid_grant", error_description: providersWords }, 400)(
    response,
    {
      method: "",
      endpoint: "",
      headers,
      parameters,
    },
  );
};

/** Invalid behaviour of a provider. */
const misbehaviours: readonly Respond[] = [
  echo,
  respondWith({ error: "invalid_client", error_description: providersWords }),
  respondWith({ error: { message: providersWords } }, 500),
  respondWithText(`<p>${providersWords}</p>`, 502),
  respondWithText(`{"access_token":"${accessToken}"`),
  respondWithText("", 302, { location: `/elsewhere?words=${providersWords}` }),
  respondWithText("", 401, {
    "www-authenticate": `Bearer error="x", error_description="${providersWords}"`,
  }),
  respondWith({ ...tokens, access_token: [accessToken] }),
  respondWith({ ...tokens, token_type: providersWords }),
  respondWith({ ...tokens, id_token: providersWords }),
  respondWith({ ...tokens, id_token: [accessToken, refreshToken, providersWords].join(".") }),
  closeConnection,
];

/** The resulting log lines of identity. */
export const failuresTold = [
  "the provider gave no tokens for the code",
  "the provider did not refresh the tokens",
  "the provider did not tell who the user is",
  "the provider answers 400",
];

export interface ProviderTour {
  /** Base URL with the base path. */
  url: string;
  provider: OAuthProvider;
  /** Keeps an answer, which must contain no secret. */
  keep: (answer: Response) => Promise<void>;
  /** Collects the values that browsers carry between our system and the provider, which no log may contain. */
  carried: Set<string>;
}

/** A sign-in or linking in progress in a browser. */
interface Begun {
  browser: BrowserLike;
  id: string;
  state: string;
  nonce: string;
}

export const begin = async (
  { carried }: ProviderTour,
  { browser, id, path = "/sign-in/social" }: { browser: BrowserLike; id: string; path?: string },
): Promise<Begun> => {
  const page = canary("page");
  const answer = await browser.post(path, {
    provider: id,
    callbackURL: `/home?page=${page}`,
    errorCallbackURL: `/oops?page=${page}`,
  });
  const { url } = (await answer.json()) as { url: string };
  const { searchParams } = new URL(url);
  const [state = "", nonce = ""] = ["state", "nonce"].map((name) => searchParams.get(name) ?? "");
  expect(state).not.toBe("");
  for (const text of [page, state, nonce]) if (text) carried.add(text);
  return { browser, id, state, nonce };
};

export const comeBack = async (
  { carried }: ProviderTour,
  { browser, id, state }: Begun,
): Promise<Response> => {
  const [code, device, user] = [canary("code"), canary("device"), canary("given-name")];
  for (const text of [code, device, user]) carried.add(text);
  const query = new URLSearchParams({ code, state, device_id: device, user });
  const answer = await browser.get(`/callback/${id}?${query.toString()}`);
  const location = answer.headers.get("location") ?? "";
  for (const text of [code, state]) expect(location).not.toContain(text);
  return answer;
};

/** Follows the redirect to the provider and back. */
const travel = async (tour: ProviderTour, from: Parameters<typeof begin>[1]): Promise<Response> =>
  comeBack(tour, await begin(tour, from));

const signIdToken = async (
  { provider, carried }: ProviderTour,
  { nonce, sub = "canary-owner" }: { nonce: string; sub?: string | undefined },
): Promise<string> => {
  const seconds = Math.floor(Date.now() / 1000);
  const token = await provider.sign({
    iss: "https://accounts.google.com",
    aud: "canary-client",
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: "Ada",
    nonce,
    iat: seconds,
    exp: seconds + 600,
  });
  for (const text of [nonce, token]) carried.add(text);
  return token;
};

/** Signs a user in by an id token, with tokens to be stored. */
export const arrive = async (
  tour: ProviderTour,
  browser: BrowserLike,
  sub?: string,
): Promise<Response> => {
  const begun = await begin(tour, { browser, id: "google" });
  const idToken = await signIdToken(tour, { nonce: begun.nonce, sub });
  tour.provider.responses.token = respondWith({ ...tokens, id_token: idToken });
  return comeBack(tour, begun);
};

/** Sends a valid id token while the provider's keys are unavailable. */
const bringTooEarly = async (tour: ProviderTour): Promise<void> => {
  const { url, provider, keep } = tour;
  const nonce = canary("nonce");
  const token = await signIdToken(tour, { nonce });
  const signIn = { provider: "google", idToken: { token, nonce, accessToken, refreshToken } };
  const { jwks = closeConnection } = provider.responses;
  for (const respond of misbehaviours) {
    provider.responses.jwks = respond;
    const answer = await createBrowserLike(url).post("/sign-in/social", signIn);
    expect(answer.status).toBe(401);
    await keep(answer);
  }
  provider.responses.jwks = jwks;
};

const forged = ["e30", Buffer.from(providersWords).toString("base64url"), accessToken].join(".");
const profile = { sub: "canary-poster", email: "canary-poster@example.com", email_verified: true };

/** Performs every call to the provider while it misbehaves in one way. */
const misbehave = async (tour: ProviderTour, respond: Respond): Promise<void> => {
  const { url, provider, keep } = tour;
  const owner = createBrowserLike(url);
  expect((await arrive(tour, owner)).headers.get("location")).toMatch(/^\/home/);
  const answer = await owner.post("/get-access-token", { providerId: "google" });
  expect(await answer.text()).toContain(accessToken); // the owner may read it
  Object.assign(provider.responses, { token: respond, userInfo: respondWith(profile) });
  for (const id of ["google", "forum"]) {
    await keep(await travel(tour, { browser: createBrowserLike(url), id }));
    await keep(await travel(tour, { browser: owner, id, path: "/link-social" }));
  }
  const refreshed = await owner.post("/refresh-token", { providerId: "google" });
  if (!refreshed.ok) await keep(refreshed); // otherwise the owner gets the tokens
  const idToken = { token: forged, accessToken, refreshToken };
  await keep(await owner.post("/sign-in/social", { provider: "google", idToken }));
  await keep(await owner.post("/link-social", { provider: "google", idToken }));
  Object.assign(provider.responses, { token: respondWith(tokens), userInfo: respond });
  await keep(await travel(tour, { browser: createBrowserLike(url), id: "forum" }));
  await keep(await owner.get("/list-accounts"));
  await keep(await owner.post("/account-info", { accountId: "canary-owner" }));
};

/** A form post without its cookie is redirected with its values. In another browser these are invalid. */
const post = async (tour: ProviderTour): Promise<void> => {
  const { url, keep, carried } = tour;
  const begun = await begin(tour, { browser: createBrowserLike(url), id: "forum" });
  const [code, user] = [canary("posted-code"), canary("posted-name")];
  for (const text of [code, user]) carried.add(text);
  const body = new URLSearchParams({ code, user, state: begun.state });
  const sentOn = await fetch(`${url}/callback/forum`, { method: "POST", redirect: "manual", body });
  expect(sentOn.headers.get("location")).toContain(code);
  await keep(await comeBack(tour, { ...begun, browser: createBrowserLike(url) }));
};

/** Returns the values that our system sent to the provider directly. */
export const sentByUs = ({ requests }: OAuthProvider): string[] =>
  requests.flatMap(({ parameters, headers }) =>
    [parameters["code_verifier"], headers["authorization"]].filter((text) => text !== undefined),
  );

/**
 * Signs in, links, refreshes and unlinks at a correct provider and then at a misbehaving one. Returns the exchanged values, which
 * no output may contain.
 */
export const tourProviders = async (tour: ProviderTour): Promise<string[]> => {
  const { url, provider, keep } = tour;
  await bringTooEarly(tour);
  for (const respond of misbehaviours) await misbehave(tour, respond);
  await post(tour);
  const owner = createBrowserLike(url);
  await keep(await arrive(tour, owner));
  provider.responses.revoke = echo;
  await keep(await owner.post("/unlink-account", { providerId: "google" }));
  await until(() => provider.requests.some(({ endpoint }) => endpoint === "revoke"));
  return sentByUs(provider);
};
