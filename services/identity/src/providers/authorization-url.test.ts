import { afterAll, expect, test } from "vitest";
import { type AuthorizationRequest, authorizationUrl, scopesOf } from "./authorization-url.ts";
import {
  credentials,
  localOutbound,
  openTestProviderClient,
} from "./test-provider-client.fixture.ts";

const outbound = localOutbound();
afterAll(() => outbound.close());

const request: AuthorizationRequest = {
  state: "the-state",
  codeVerifier: "verifier".padEnd(43, "v"),
  nonce: "the-nonce",
  redirectUri: "https://app.example.com/callback?a=b&c=d e+f",
  scopes: ["openid"],
};

const urlOf = async (
  id: string,
  asked: Partial<AuthorizationRequest> = {},
  options: Record<string, unknown> = {},
) => {
  const providerClient = await openTestProviderClient(outbound, id, options);
  return new URL(authorizationUrl(providerClient, { ...request, ...asked }));
};

const parametersOf = async (...given: Parameters<typeof urlOf>) =>
  Object.fromEntries((await urlOf(...given)).searchParams);

/** RFC 7636, appendix B. */
test("uses the SHA-256 of the verifier as the challenge", async () => {
  const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  expect(await parametersOf("google", { codeVerifier })).toMatchObject({
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
});

test("encodes every parameter exactly, with a space never sent as a plus", async () => {
  const url = await urlOf("google", { scopes: ["a+b", "c&d=e"] });
  expect(url.searchParams.get("redirect_uri")).toBe(request.redirectUri);
  expect(url.searchParams.get("scope")).toBe("a+b c&d=e");
  expect(url.search).not.toContain("+");
  expect(url.search).toContain("a%2Bb%20c%26d%3De");
});

test("adds the parameters that a client requests", async () => {
  const additionalParams = {
    access_type: "offline",
    prompt: "consent",
    login_hint: "a",
    claims: "{}",
  };
  expect(await parametersOf("google", { additionalParams })).toMatchObject(additionalParams);
});

test("gives the operator's parameters precedence", async () => {
  const additionalParams = { hd: "evil.example.com", prompt: "none", access_type: "online" };
  const options = { hd: "example.com", prompt: "consent", accessType: "offline" };
  expect(await parametersOf("google", { additionalParams }, options)).toMatchObject({
    hd: "example.com",
    prompt: "consent",
    access_type: "offline",
  });
});

test.each(["google", "wechat", "tiktok", "apple", "twitch", "github"])(
  "ignores a client's values for the security parameters at %s",
  async (id) => {
    const names = [
      "response_type",
      "response_mode",
      "client_id",
      "appid",
      "client_key",
      "client_secret",
      "state",
      "redirect_uri",
      "scope",
      "code_challenge",
      "code_challenge_method",
      "nonce",
      "request",
      "request_uri",
    ];
    const evil = Object.fromEntries(
      names.flatMap((name) => [
        [name, "evil"],
        [name.toUpperCase(), "evil"],
      ]),
    );
    expect(await parametersOf(id, { additionalParams: evil })).toEqual(await parametersOf(id));
  },
);

test("takes the redirect URI from the option, else from the provider", async () => {
  expect(await parametersOf("google")).not.toHaveProperty("response_mode");
  expect(await parametersOf("google", {}, { responseMode: "form_post" })).toMatchObject({
    response_mode: "form_post",
  });
  expect(await parametersOf("apple")).toMatchObject({ response_mode: "form_post" });
  expect(await parametersOf("apple", {}, { responseMode: "query" })).toMatchObject({
    response_mode: "query",
  });
});

test("sends a nonce only if an id token is expected", async () => {
  expect(await parametersOf("google", { scopes: ["email"] })).not.toHaveProperty("nonce");
  expect(await parametersOf("google")).toMatchObject({ nonce: "the-nonce" });
  expect(await parametersOf("apple", { scopes: [] })).toMatchObject({ nonce: "the-nonce" });
  expect(await parametersOf("github")).not.toHaveProperty("nonce");
});

test("uses the first of several client ids", async () => {
  expect(await parametersOf("google")).toMatchObject({ client_id: credentials.clientId[0] });
});

test.each([
  ["google", {}, ["email", "profile", "openid", "configured", "requested"]],
  ["google", { disableDefaultScope: true }, ["configured", "requested"]],
  ["discord", {}, ["identify", "email", "requested", "configured"]],
])("requests scopes at %s with %j as %j, each once", async (id, options, scopes) => {
  const providerClient = await openTestProviderClient(outbound, id, {
    ...options,
    scope: ["configured"],
  });
  expect(scopesOf(providerClient, ["requested", "configured", "requested"])).toEqual(scopes);
});
