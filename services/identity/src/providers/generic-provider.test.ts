import type { ServerResponse } from "node:http";
import type { Outbound } from "@latchkey/service-kit/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { authorizationUrl, scopesOf } from "./authorization-url.ts";
import { createLocalProvider, type LocalProvider } from "./local-provider.fixture.ts";
import {
  ProviderError,
  openProviderClient,
  type Provider,
  type ProviderClient,
} from "./provider-client.ts";
import { readUser } from "./read-user.ts";
import { revokeToken } from "./revoke-token.ts";
import {
  createTestProviders,
  credentials,
  localOutbound,
  now,
  openTestProviderClient,
  seconds,
} from "./test-provider-client.fixture.ts";
import { exchangeCode } from "./token-endpoint.ts";
import { verifyClientIdToken } from "./verify-client-id-token.ts";

let local: LocalProvider;
let outbound: Outbound;
/** The metadata that the provider publishes. */
let metadata: Record<string, unknown>;
let claims: Record<string, unknown>;
let profile: Record<string, unknown>;

beforeEach(async () => {
  local = await createLocalProvider();
  outbound = localOutbound();
  metadata = {
    issuer: local.base,
    authorization_endpoint: `${local.base}/authorization`,
    token_endpoint: `${local.base}/token`,
    userinfo_endpoint: `${local.base}/userInfo`,
    jwks_uri: `${local.base}/jwks`,
    revocation_endpoint: `${local.base}/revoke`,
  };
  claims = {
    iss: local.base,
    aud: credentials.clientId[0],
    sub: "ann",
    iat: seconds,
    exp: seconds + 60,
    nonce: "nonce",
    name: "Ann Claimed",
    email: "ann@example.com",
    email_verified: true,
  };
  profile = { sub: "ann", name: "Ann Example" };
  const idToken = await local.sign(claims);
  local.respond = ({ endpoint }) => {
    if (endpoint === "openid-configuration") return { body: metadata };
    if (endpoint === "token")
      return { body: { access_token: "access", token_type: "Bearer", id_token: idToken } };
    if (endpoint === "userInfo") return { body: profile };
    return { status: 404, body: {} };
  };
});
afterEach(async () => {
  await outbound.close();
  await local.close();
});

const open = (options: Record<string, unknown> = {}) =>
  openTestProviderClient(outbound, "acme", { issuer: local.base, ...options });

const request = {
  state: "state",
  codeVerifier: "verifier".padEnd(43, "v"),
  nonce: "nonce",
  redirectUri: "https://app.example.com/callback",
};

const parametersOf = (client: ProviderClient, requested: string[] = []) => {
  const url = authorizationUrl(client, { ...request, scopes: scopesOf(client, requested) });
  return Object.fromEntries(new URL(url).searchParams);
};

const signIn = async (client: ProviderClient) =>
  readUser(
    client,
    await exchangeCode(client, {
      ...request,
      code: "code",
      scopes: scopesOf(client),
      callback: {},
    }),
  );

const endpointsSeen = () => local.seen.map(({ endpoint }) => endpoint);

describe("a provider that is discovered by its issuer", () => {
  test("signs a user in with the data of id token and profile", async () => {
    const client = await open();
    expect(parametersOf(client)).toMatchObject({
      client_id: credentials.clientId[0],
      scope: "openid profile email",
      nonce: "nonce",
      code_challenge_method: "S256",
    });
    const outcome = await signIn(client);
    expect(outcome?.user).toEqual({
      id: "ann",
      name: "Ann Example",
      email: "ann@example.com",
      image: undefined,
      emailVerified: true,
      mapped: {},
    });
    expect(endpointsSeen()).toEqual(["openid-configuration", "token", "userInfo"]);
    expect(local.seen[1]?.headers["authorization"]).toMatch(/^Basic /);
    expect(local.seen[1]?.parameters).not.toHaveProperty("client_secret");
  });

  test("accepts id tokens from clients, and revokes tokens", async () => {
    const client = await open();
    const token = await local.sign(claims);
    expect(await verifyClientIdToken(client, { token, nonce: "nonce" })).toMatchObject({
      sub: "ann",
    });
    local.respond = () => ({ body: "" });
    expect(await revokeToken(client, { token: "access", kind: "access_token" })).toBe(true);
    expect(local.seen.at(-1)).toMatchObject({
      endpoint: "revoke",
      method: "POST",
      parameters: { token: "access", token_type_hint: "access_token" },
    });
  });

  /** Attack: the owner of one account presents the profile of another. */
  test("rejects a profile of another subject than the id token's", async () => {
    profile = { sub: "bob", name: "Bob" };
    await expect(signIn(await open())).rejects.toBeInstanceOf(ProviderError);
  });

  test("is not called for a profile if it has no userinfo endpoint", async () => {
    delete metadata["userinfo_endpoint"];
    expect((await signIn(await open()))?.user.name).toBe("Ann Claimed");
    expect(endpointsSeen()).toEqual(["openid-configuration", "token"]);
  });

  test("receives the secret by the method that its metadata names", async () => {
    metadata["token_endpoint_auth_methods_supported"] = ["client_secret_post"];
    await signIn(await open());
    expect(local.seen[1]?.parameters["client_secret"]).toBe(credentials.clientSecret);
    expect(local.seen[1]?.headers).not.toHaveProperty("authorization");
    expect((await open({ clientAuthentication: "basic" })).definition.clientAuthentication).toBe(
      "basic",
    );
  });

  test("may sign with any algorithm in its metadata except none", async () => {
    metadata["id_token_signing_alg_values_supported"] = ["none", "ES256"];
    metadata["authorization_response_iss_parameter_supported"] = true;
    const { definition } = await open();
    expect(definition.algorithms).toEqual(["ES256"]);
    expect(definition.namesIssuer).toBe(true);
    metadata["id_token_signing_alg_values_supported"] = ["none"];
    expect((await open()).definition.algorithms).toBeUndefined();
  });

  test("has its endpoints replaced by those of the options", async () => {
    const token = "https://proxy.example.com/token";
    const { definition } = await open({ endpoints: { token } });
    expect(definition.endpoints).toMatchObject({ token, jwks: `${local.base}/jwks` });
  });
});

describe("metadata", () => {
  test("may be at a separate address", async () => {
    const { definition } = await openTestProviderClient(outbound, "acme", {
      discoveryUrl: `${local.base}/.well-known/openid-configuration`,
    });
    expect(definition.issuer).toBe(local.base);
    metadata["issuer"] = "https://idp.example.com/tenant/";
    const other = await openTestProviderClient(outbound, "acme", {
      issuer: "https://idp.example.com/tenant/",
      discoveryUrl: `${local.base}/anywhere/openid-configuration`,
    });
    expect(other.definition.issuer).toBe("https://idp.example.com/tenant/");
  });

  test.each([
    ["of another issuer", { issuer: "https://evil.example.com" }],
    ["of no issuer", { issuer: undefined }],
    ["without a token endpoint", { token_endpoint: undefined }],
    ["without an authorization endpoint", { authorization_endpoint: undefined }],
    ["that sends the browser to a script", { authorization_endpoint: "javascript:alert(1)" }],
    ["that sends the browser to data", { authorization_endpoint: "data:text/html,x" }],
    ["with an address that is none", { token_endpoint: "text" }],
    ["with an address that is no text", { jwks_uri: 5 }],
    ["with a plain address elsewhere", { token_endpoint: "http://127.0.0.1:1/token" }],
    ["with a plain address of another", { userinfo_endpoint: "http://example.com/" }],
    ["with methods that are none", { token_endpoint_auth_methods_supported: 5 }],
  ])("is rejected with %s", async (_case, changed) => {
    Object.assign(metadata, changed);
    await expect(open()).rejects.toBeInstanceOf(ProviderError);
  });

  test.each([
    ["500", { status: 500, body: {} }],
    ["a redirect", { status: 302, body: {} }],
    ["a page", { type: "text/html", body: "<html>" }],
    ["10 MB", { body: { more: "x".repeat(10_000_000) } }],
  ])("is rejected if it is %s", async (_case, answer) => {
    local.respond = () => answer;
    await expect(open()).rejects.toBeInstanceOf(ProviderError);
    expect(local.seen).toHaveLength(1);
  });

  test.each([
    "https://127.0.0.2/",
    "https://[::1]/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://localhost/",
  ])("is rejected if it names the private address %s", async (address) => {
    metadata["token_endpoint"] = address;
    const refusal = await signIn(await open()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProviderError);
    expect(((refusal as Error).cause as Error).message).toMatch(
      /not allowed \(a private address\)/,
    );
    metadata["token_endpoint"] = `${local.base}/token`;
    metadata["jwks_uri"] = address;
    await expect(signIn(await open())).rejects.toBeInstanceOf(ProviderError);
  });
});

/** An issuer at a public host. The test resolves it to this machine. */
describe("metadata of a public issuer", () => {
  const issuer = "https://idp.example.com";
  const openPublic = (options: Record<string, unknown> = {}) => {
    const reached: Outbound = {
      ...outbound,
      fetch: (url, init) => outbound.fetch(String(url).replace(issuer, local.base), init),
    };
    return openTestProviderClient(reached, "acme", { issuer, ...options });
  };
  const internal = "https://127.0.0.1/internal";

  beforeEach(() => {
    metadata = JSON.parse(
      JSON.stringify(metadata).replaceAll(local.base, issuer),
    ) as typeof metadata;
  });

  /** A private host is allowed for a provider in our own network, not for addresses in others' metadata. */
  test.each(["token_endpoint", "userinfo_endpoint", "jwks_uri", "revocation_endpoint"])(
    "is rejected if its %s is at a private host, which may belong to another",
    async (name) => {
      expect((await openPublic()).definition.issuer).toBe(issuer);
      metadata[name] = internal;
      await expect(openPublic()).rejects.toBeInstanceOf(ProviderError);
    },
  );

  test("is ignored where the options set the endpoint", async () => {
    metadata["token_endpoint"] = internal;
    const { definition } = await openPublic({ endpoints: { token: internal } });
    expect(definition.endpoints.token).toBe(internal);
  });
});

test("may name addresses at private hosts if the issuer is at one", async () => {
  metadata["token_endpoint"] = "https://127.0.0.1/token";
  expect((await open()).definition.endpoints.token).toBe("https://127.0.0.1/token");
});

describe("discovery", () => {
  let time: number;
  let provider: Provider;

  beforeEach(() => {
    time = now;
    const configured = { acme: { ...credentials, issuer: local.base } };
    provider = createTestProviders(outbound, configured, () => time).get("acme")!;
  });

  const define = () => openProviderClient({ outbound, clock: () => time }, provider);
  const askedCount = () =>
    local.seen.filter(({ endpoint }) => endpoint === "openid-configuration").length;

  test("starts with the first use, and happens once for concurrent users", async () => {
    expect(local.seen).toEqual([]);
    await Promise.all(Array.from({ length: 16 }, define));
    await define();
    expect(askedCount()).toBe(1);
  });

  test("is repeated some time after a failure, without anyone waiting meanwhile, and after an hour", async () => {
    const { respond } = local;
    local.respond = () => ({ status: 503, body: {} });
    await expect(define()).rejects.toBeInstanceOf(ProviderError);
    local.respond = respond;
    time += 9_999;
    await expect(define()).rejects.toBeInstanceOf(ProviderError);
    expect(askedCount()).toBe(1);
    time += 1;
    await define();
    expect(askedCount()).toBe(2);
    time += 3_600_000;
    metadata["token_endpoint"] = `${local.base}/moved`;
    expect((await define()).definition.endpoints.token).toBe(`${local.base}/moved`);
  });

  test("keeps the known metadata if a later attempt fails, and retries after a minute", async () => {
    const { definition } = await define();
    const { respond } = local;
    local.respond = () => ({ status: 503, body: {} });
    time += 3_600_000;
    expect((await define()).definition).toBe(definition);
    expect((await define()).definition).toBe(definition);
    expect(askedCount()).toBe(2);
    local.respond = respond;
    time += 60_000;
    expect((await define()).definition).not.toBe(definition);
  });

  test("is not started by reading what is known", async () => {
    expect(provider.known()).toEqual({ issuer: local.base });
    expect(local.seen).toEqual([]);
    const { definition } = await define();
    time += 3_600_000;
    expect(provider.known()).toBe(definition);
    expect(askedCount()).toBe(1);
  });

  test("does not delay a caller beyond the deadline of the provider client", async () => {
    const { promise: request, resolve } = Promise.withResolvers<ServerResponse>();
    local.respond = (_seen, response) => {
      resolve(response);
      return undefined;
    };
    const needs = { outbound, clock: () => time, callsMilliseconds: 100 };
    await expect(openProviderClient(needs, provider)).rejects.toBeInstanceOf(ProviderError);
    // The request continues for other callers, who wait for it.
    const other = define();
    (await request)
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(metadata));
    expect((await other).definition.issuer).toBe(local.base);
    expect(askedCount()).toBe(1);
  });

  test("fetches keys from their present address", async () => {
    await signIn(await define());
    expect(local.keyRequestsCount).toBe(1);
    time += 3_600_000;
    metadata["jwks_uri"] = `${local.base}/moved/jwks`;
    claims["iat"] = time / 1_000;
    claims["exp"] = time / 1_000 + 60;
    const token = await local.sign(claims);
    expect(await verifyClientIdToken(await define(), { token, nonce: "nonce" })).toBeDefined();
    expect(local.keyRequestsCount).toBe(2);
  });
});

describe("a provider of OAuth 2, known by its endpoints", () => {
  const openPlain = (options: Record<string, unknown> = {}) =>
    openTestProviderClient(outbound, "acme", {
      endpoints: {
        authorization: `${local.base}/authorization?tenant=one`,
        token: `${local.base}/token`,
        userInfo: `${local.base}/userInfo`,
      },
      ...options,
    });

  test("is called as the options specify", async () => {
    const client = await openPlain({
      scope: ["read", "write"],
      scopeSeparator: ",",
      pkce: false,
      prompt: "select_account+consent",
      responseMode: "form_post",
      authorizationParameters: { audience: "api", state: "fixed" },
    });
    expect(parametersOf(client, ["read", "more"])).toEqual({
      tenant: "one",
      response_type: "code",
      response_mode: "form_post",
      client_id: credentials.clientId[0],
      state: "state",
      redirect_uri: request.redirectUri,
      scope: "read,write,more",
      prompt: "select_account consent",
      audience: "api",
    });
    await signIn(client);
    expect(local.seen[0]?.parameters).not.toHaveProperty("code_verifier");
  });

  test("gets no scope by default, and its id tokens are ignored", async () => {
    const client = await openPlain();
    expect(parametersOf(client)).not.toHaveProperty("scope");
    expect(parametersOf(client, ["openid"])).not.toHaveProperty("nonce");
    expect((await signIn(client))?.user).toMatchObject({ id: "ann", name: "Ann Example" });
  });

  test("reads the user from the paths in the options", async () => {
    profile = {
      data: { id: 7, names: { full: "Ann" }, mail: "ann@example.com", confirmed: true },
      "avatar.url": "https://example.com/ann.png",
    };
    const paths = {
      id: "data.id",
      name: "data.names.full",
      email: "data.mail",
      emailVerified: "data.confirmed",
      image: "avatar.url",
    };
    expect((await signIn(await openPlain({ profile: paths })))?.user).toEqual({
      id: "7",
      name: "Ann",
      email: "ann@example.com",
      image: "https://example.com/ann.png",
      emailVerified: true,
      mapped: {},
    });
  });

  test.each([
    "constructor",
    "constructor.name",
    "__proto__",
    "name.length",
    "none.of.it",
    "toString",
  ])("returns no user for the id path %s", async (id) => {
    expect(await signIn(await openPlain({ profile: { id } }))).toBeUndefined();
  });
});
