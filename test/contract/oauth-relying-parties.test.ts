import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createLatchkey } from "@latchkey/server";
import { expectNoLeaks, freePort } from "@latchkey/testkit";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import * as oauth from "oauth4webapi";
import {
  InMemoryWebStorage,
  OidcClient,
  type RefreshState,
  WebStorageStateStore,
} from "oidc-client-ts";
import * as client from "openid-client";
import { operations } from "@latchkey/contracts";
import { afterEach, describe, expect, test } from "vitest";
import type { BrowserLike } from "../harness/browser-like.ts";
import { callOperation, expectOk, serviceConfig } from "../harness/operations.ts";
import { useSystem } from "../harness/use-system.ts";
import { callAdmin, readSession, signUp, trySignIn } from "../harness/users.ts";

expectNoLeaks("file");

const mcpPort = await freePort();
const mcpUrl = `http://127.0.0.1:${mcpPort}/mcp`;

const { system, admin } = useSystem({
  stores: "postgres",
  config: {
    ...serviceConfig,
    rateLimit: { enabled: false },
    oauthProvider: {
      enabled: true,
      allowDynamicClientRegistration: true,
      allowUnauthenticatedClientRegistration: true,
      resources: [{ identifier: mcpUrl, scopes: ["notes"], registeredClients: true }],
    },
  },
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

test("oidc-client-ts signs a user in from a page, refreshes and revokes", async () => {
  const person = await signUp(system, { name: "Ada Lovelace" });
  const { client_id } = await register({ token_endpoint_auth_method: "none" });
  const page = new OidcClient({
    authority: system.url,
    client_id,
    redirect_uri,
    scope,
    loadUserInfo: true,
    stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  });
  const { url } = await page.createSigninRequest({});
  const place = await visit(person.email, new URL(url));
  const signedIn = await page.processSigninResponse(place.href);
  expect(signedIn.profile).toMatchObject({ sub: person.user.id, name: "Ada Lovelace" });
  const { refresh_token = "", id_token = "", scope: granted, profile } = signedIn;
  const state: RefreshState = {
    refresh_token,
    id_token,
    session_state: "",
    profile,
    ...(granted !== undefined && { scope: granted }),
  };
  const refreshed = await page.useRefreshToken({ state });
  expect(refreshed.access_token).not.toBe(signedIn.access_token);
  await page.revokeToken(refreshed.refresh_token ?? "", "refresh_token");
  const spent: RefreshState = {
    refresh_token: refreshed.refresh_token ?? "",
    session_state: "",
    profile,
  };
  await expect(page.useRefreshToken({ state: spent })).rejects.toThrow("invalid");
});

/** Starts an MCP server with a tool that tells its caller's user, protected by access tokens. */
const startMcpServer = async () => {
  const latchkey = createLatchkey({ url: system.url });
  const api = latchkey.protectResource({ resource: mcpUrl, scopes: ["notes"] });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === api.metadataPath) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(api.metadata));
      return;
    }
    const access = await api.authorize(request);
    if (!access.ok) {
      response.writeHead(access.status, access.headers).end(access.body);
      return;
    }
    const mcp = new McpServer({ name: "notes", version: "1.0.0" });
    mcp.registerTool("whoami", { description: "Tells the user." }, () => ({
      content: [{ type: "text", text: access.token.subject }],
    }));
    const transport = new StreamableHTTPServerTransport({});
    response.on("close", () => void transport.close());
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(mcpPort, "127.0.0.1");
  await once(server, "listening");
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
};

/** The memory of an MCP client, which keeps its registration and tokens. */
const createMemory = () => {
  const memory = {
    client: undefined as OAuthClientInformationMixed | undefined,
    tokens: undefined as OAuthTokens | undefined,
    verifier: "",
    authorizationUrl: undefined as URL | undefined,
  };
  const provider: OAuthClientProvider = {
    redirectUrl: "http://127.0.0.1:53682/callback",
    clientMetadata: {
      client_name: "An MCP client",
      redirect_uris: ["http://127.0.0.1:53682/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => memory.client,
    saveClientInformation: (information) => {
      memory.client = information;
    },
    tokens: () => memory.tokens,
    saveTokens: (tokens) => {
      memory.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      memory.authorizationUrl = url;
    },
    saveCodeVerifier: (verifier) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier,
  };
  return { memory, provider };
};

describe("the client of the Model Context Protocol's SDK", () => {
  let stop: (() => Promise<void>) | undefined;
  afterEach(async () => {
    await stop?.();
    stop = undefined;
  });

  test("registers, signs a user in, calls a tool and refreshes", async () => {
    stop = await startMcpServer();
    const person = await signUp(system);
    const { memory, provider } = createMemory();
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), {
        authProvider: provider,
      });
      const mcp = new Client({ name: "a client", version: "1.0.0" });
      return { transport, mcp, connected: mcp.connect(transport) };
    };
    const first = await connect();
    await expect(first.connected).rejects.toThrow("Unauthorized");
    expect(memory.client?.client_id).toMatch(/^\w{32}$/);
    const place = await visit(person.email, memory.authorizationUrl ?? new URL(system.url));
    await first.transport.finishAuth(place.searchParams.get("code") ?? "");
    expect(memory.tokens).toMatchObject({ scope: "notes", expires_in: 600 });
    const { mcp, connected } = await connect();
    await connected;
    const whoami = async () => {
      const { content } = await mcp.callTool({ name: "whoami" });
      return (content as [{ text: string }])[0].text;
    };
    expect(await whoami()).toBe(person.user.id);
    // As after ten minutes.
    const former = memory.tokens;
    if (former) memory.tokens = { ...former, access_token: "expired" };
    expect(await whoami()).toBe(person.user.id);
    expect(memory.tokens?.refresh_token).not.toBe(former?.refresh_token);
    await mcp.close();
  });
});

describe("registration", () => {
  const send = async (body: unknown, token?: string) => {
    const response = await fetch(`${system.url}/oauth2/register`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const redirect_uris = [redirect_uri];

  test("gives openid-client an id and a secret, with which it signs a user in", async () => {
    const insecure = { execute: [client.allowInsecureRequests] };
    const config = await client.dynamicClientRegistration(
      new URL(system.url),
      {
        redirect_uris,
        client_name: "A stranger",
        token_endpoint_auth_method: "client_secret_post", // this library's way
      },
      undefined,
      insecure,
    );
    const person = await signUp(system);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const place = await visit(
      person.email,
      client.buildAuthorizationUrl(config, {
        redirect_uri,
        scope,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      }),
    );
    const tokens = await client.authorizationCodeGrant(config, place, { pkceCodeVerifier });
    expect(tokens.claims()?.sub).toBe(person.user.id);
  });

  test("gives no more scopes than the options allow, and no power of an admin", async () => {
    const own = { scope: "openid everything", skip_consent: true, require_pkce: false };
    const { status, body } = await send({ redirect_uris, resources: [mcpUrl], ...own });
    expect([status, body["scope"]]).toEqual([201, "openid"]);
    expect(body).toMatchObject({ skip_consent: false, require_pkce: true, resources: [] });
  });

  test.each([
    ["no redirect URI", {}, "invalid_redirect_uri"],
    ["a script", { redirect_uris: ["javascript:alert(1)//"] }, "invalid_redirect_uri"],
    ["no list of redirect URIs", { redirect_uris: "x" }, "invalid_redirect_uri"],
    ["a grant of machines", { redirect_uris, grant_types: ["client_credentials"] }, undefined],
    ["a script as its page", { redirect_uris, client_uri: "javascript:alert(1)" }, undefined],
    [
      "a software statement",
      { redirect_uris, software_statement: "e30.e30." },
      "invalid_software_statement",
    ],
    ["no object", [], undefined],
  ])("refuses %s", async (_, body, error = "invalid_client_metadata") => {
    expect(await send(body)).toMatchObject({ status: 400, body: { error } });
  });

  test("lets one of sixteen registrations use a token of an admin", async () => {
    const { token } = await expectOk(
      callOperation<{ token: string }>(admin, operations.oauth.createOauthRegistrationToken),
    );
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => send({ redirect_uris }, token)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 15 }, () => 401)]);
  });

  test("is shown to users as not verified", async () => {
    const { body } = await send({ redirect_uris });
    const shownTo = await signUp(system);
    const query = { client_id: String(body["client_id"]) };
    const shown = callOperation(shownTo, operations.oauth.getOauthPublicClient, { query });
    expect(await expectOk(shown)).toMatchObject({ is_verified: false });
  });
});
