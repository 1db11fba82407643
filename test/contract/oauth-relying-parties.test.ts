import { expectNoLeaks } from "@latchkey/testkit";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { operations } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, readSession, signUp, trySignIn } from "../harness/users.ts";

expectNoLeaks("file");

const { system, admin } = useSystem({
  stores: "postgres",
  config: { ...serviceConfig, oauthProvider: { enabled: true } },
});

const redirect_uri = "https://app.example.com/callback";
const scope = "openid profile email offline_access";

const register = (own: object = {}) =>
  expectOk(
    callOperation<{ client_id: string; client_secret: string }>(
      admin,
      operations.oauth.createOauthClient,
      { body: { client_name: "A relying party", redirect_uris: [redirect_uri], ...own } },
    ),
  );

const follow = async (browser: BrowserLike, url: URL | string): Promise<URL> => {
  const path = String(url).slice(system.url.length);
  const response = await browser.get(path);
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
};

/** Signs in and consents as a user does, from the authorization URL to the redirect to the client. */
const visit = async (email: string, authorizationUrl: URL): Promise<URL> => {
  const nobody = (await trySignIn(system, "nobody@example.com")).browser;
  const signInPage = await follow(nobody, authorizationUrl);
  expect(signInPage.pathname).toBe("/account/sign-in");
  const { browser } = await trySignIn(system, email);
  const consentPage = await follow(browser, signInPage.searchParams.get("redirect_to") ?? "");
  const oauth_query = consentPage.searchParams.get("query");
  const answer = await browser.post("/oauth2/consent", { accept: true, oauth_query });
  return new URL(((await answer.json()) as { url: string }).url);
};

describe("openid-client", () => {
  test("signs a user in, refreshes and introspects, until a ban ends it all", async () => {
    const person = await signUp(system, { name: "Ada Lovelace" });
    const { client_id, client_secret } = await register();
    const config = await client.discovery(
      new URL(system.url),
      client_id,
      {},
      client.ClientSecretBasic(client_secret),
      { execute: [client.allowInsecureRequests] },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedNonce = client.randomNonce();
    const expectedState = client.randomState();
    const place = await visit(
      person.email,
      client.buildAuthorizationUrl(config, {
        redirect_uri,
        scope,
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      }),
    );
    const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, place, checks);
    expect(tokens.claims()).toMatchObject({
      iss: system.url,
      sub: person.user.id,
      aud: client_id,
      amr: ["pwd"],
      acr: "urn:latchkey:aal1",
      auth_time: expect.any(Number),
    });
    expect(tokens.claims()).not.toHaveProperty("email");
    const claims = await client.fetchUserInfo(config, tokens.access_token, person.user.id);
    expect(claims).toMatchObject({
      name: "Ada Lovelace",
      email: person.email,
      email_verified: false,
    });
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    const active = await client.tokenIntrospection(config, refreshed.access_token);
    expect(active).toMatchObject({ active: true, sub: person.user.id, client_id });
    await callAdmin(admin, "/ban-user", { userId: person.user.id });
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({
      active: false,
    });
    await expect(
      client.fetchUserInfo(config, refreshed.access_token, person.user.id),
    ).rejects.toMatchObject({ status: 401 });
    await expect(
      client.refreshTokenGrant(config, refreshed.refresh_token ?? ""),
    ).rejects.toMatchObject({ error: "invalid_grant" });
  });

  test("pushes its request, and gets an ID token by the algorithm that it registered", async () => {
    const person = await signUp(system);
    const { client_id } = await register({
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "ES256",
    });
    const config = await client.discovery(
      new URL(system.url),
      client_id,
      { id_token_signed_response_alg: "ES256" },
      client.None(),
      { execute: [client.allowInsecureRequests] },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    expect(url.searchParams.get("request_uri")).toMatch(/^urn:ietf:params:oauth:request_uri:/);
    const place = await visit(person.email, url);
    const tokens = await client.authorizationCodeGrant(config, place, { pkceCodeVerifier });
    expect(tokens.claims()?.sub).toBe(person.user.id);
    await client.tokenRevocation(config, tokens.access_token);
    await expect(
      client.fetchUserInfo(config, tokens.access_token, person.user.id),
    ).rejects.toMatchObject({ status: 401 });
  });
});

describe("a logout by openid-client", () => {
  const post_logout_redirect_uri = "https://app.example.com/signed-out";

  /** Signs a user in to a new client. Returns where the client asks for the logout. */
  const signInToClient = async () => {
    const person = await signUp(system);
    const { client_id, client_secret } = await register({
      post_logout_redirect_uris: [post_logout_redirect_uri],
    });
    const config = await client.discovery(
      new URL(system.url),
      client_id,
      {},
      client.ClientSecretBasic(client_secret),
      { execute: [client.allowInsecureRequests] },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const code_challenge = await client.calculatePKCECodeChallenge(pkceCodeVerifier);
    const request = {
      redirect_uri,
      scope: "openid",
      code_challenge,
      code_challenge_method: "S256",
    };
    const place = await visit(person.email, client.buildAuthorizationUrl(config, request));
    const tokens = await client.authorizationCodeGrant(config, place, { pkceCodeVerifier });
    const endOf = (own: Record<string, string> = {}) =>
      client.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token ?? "",
        post_logout_redirect_uri,
        state: "a state",
        ...own,
      });
    return { person, endOf };
  };

  /** Attack: any page or log with an ID token signs its user out. */
  test("asks the user, and ends nothing by itself", async () => {
    const { person, endOf } = await signInToClient();
    const nobody = (await trySignIn(system, "nobody@example.com")).browser;
    const back = `${post_logout_redirect_uri}?state=a%20state`;
    expect((await follow(nobody, endOf())).href).toBe(back);
    const page = await follow(person.browser, endOf());
    expect(page.pathname).toBe("/account/log-out");
    expect((await readSession(person.browser))?.user.id).toBe(person.user.id);
    const confirm = async (oauth_query: string | null) => {
      const answer = await person.browser.post("/oauth2/end-session/confirm", { oauth_query });
      return { status: answer.status, body: (await answer.json()) as { url?: string } };
    };
    const query = page.searchParams.get("query");
    expect((await confirm(query)).body.url).toBe(back);
    const changed = query?.replace("signed-out", "elsewhere") ?? "";
    expect((await confirm(changed)).status).toBe(400);
  });

  test("leads to no address that the client has not registered, and takes no foreign hint", async () => {
    const { person, endOf } = await signInToClient();
    for (const uri of [`${post_logout_redirect_uri}/`, "https://evil.example/"]) {
      const page = await follow(person.browser, endOf({ post_logout_redirect_uri: uri }));
      expect(page.searchParams.get("query")).not.toContain("post_logout_redirect_uri=http");
    }
    const { endOf: endOfOther } = await signInToClient();
    const hint = endOfOther().searchParams.get("id_token_hint") ?? "";
    for (const id_token_hint of [hint, `${hint}x`, "no token"]) {
      const place = await follow(person.browser, endOf({ id_token_hint }));
      expect(place.searchParams.get("error")).toBe("invalid_request");
    }
  });
});

test("oauth4webapi gets a token of a machine", async () => {
  const { client_id, client_secret } = await register({
    redirect_uris: [],
    grant_types: ["client_credentials"],
    client_credentials_scopes: ["reports:read"],
  });
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(system.url);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" }),
  );
  const machine = { client_id };
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    machine,
    oauth.ClientSecretPost(client_secret),
    { scope: "reports:read" },
    insecure,
  );
  await expect(
    oauth.processClientCredentialsResponse(server, machine, response),
  ).rejects.toMatchObject({ error: "invalid_client" }); // it registered for Basic
  const again = await oauth.clientCredentialsGrantRequest(
    server,
    machine,
    oauth.ClientSecretBasic(client_secret),
    { scope: "reports:read" },
    insecure,
  );
  const token = await oauth.processClientCredentialsResponse(server, machine, again);
  expect(token).toMatchObject({ scope: "reports:read", token_type: "bearer" });
});
