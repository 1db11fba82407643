import { createTestClock, expectNoLeaks } from "@latchkey/testkit";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import {
  addClient,
  authorizeSearch,
  createUsers,
  exchange,
  openOauthDatabase,
  placeOf,
  postForm,
  redirectUri,
  refresh,
  startEngine,
  type TestClient,
  type Tokens,
  userinfo,
} from "./engine.fixture.ts";
import type { SignedIn } from "./work.ts";

// The tests of the OpenID Foundation's conformance suite, by its names. `docs/oauth-conformance.md` lists them.

expectNoLeaks("file");

const { db } = await openOauthDatabase(4);
const users = createUsers();
const clock = createTestClock();
// The provider reads the real time, so each test begins at it.
beforeEach(() => clock.set(Date.now()));
const engine = startEngine(db, { users, clock: clock.now });
const { issuer } = engine.provider;

/** As the suite's client: trusted, and without PKCE. */
const client = await addClient(db, { skipConsent: true, requirePkce: false });

type Params = Record<string, string>;

const searchOf = (more: Params, by: TestClient): string => {
  const params = new URLSearchParams(authorizeSearch(by, { scope: "openid", ...more }));
  if (more["code_challenge"] === undefined)
    for (const name of ["code_challenge", "code_challenge_method"]) params.delete(name);
  for (const [name, value] of Object.entries(more)) if (value === "") params.delete(name);
  return `?${params.toString()}`;
};

const authorize = async (
  more: Params = {},
  { by = client, session }: { by?: TestClient; session?: SignedIn | undefined } = {},
) => {
  const search = searchOf(more, by);
  const answer = await engine.run({ method: "GET", path: "/oauth2/authorize", search, session });
  const place = URL.parse(answer.headers["location"] ?? "");
  return {
    answer,
    place: place && place.origin + place.pathname,
    code: place?.searchParams.get("code") ?? "",
    error: place?.searchParams.get("error"),
    state: place?.searchParams.get("state"),
  };
};

const tokensOf = async (code: string, by = client): Promise<Tokens> => {
  const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
  const answer = await postForm(engine, "/oauth2/token", { client: by, form });
  expect(answer).toMatchObject({ status: 200 });
  return JSON.parse(answer.body) as Tokens;
};

const signIn = async (more: Params = {}, session = users.signIn()) => {
  const { code } = await authorize(more, { session });
  const tokens = await tokensOf(code);
  return { session, tokens, claims: decodeJwt(tokens.id_token) };
};

const infoOf = async ({ access_token }: Tokens) => {
  const { status, body } = await userinfo(engine, access_token);
  expect(status).toBe(200);
  return JSON.parse(body) as Record<string, unknown>;
};

const signInPage = "https://auth.example.com/account/login";

describe("Basic OP", () => {
  test("oidcc-server", async () => {
    const session = users.signIn();
    const { code, state } = await authorize({ nonce: "a nonce" }, { session });
    expect(state).toBe("a state");
    const claims = decodeJwt((await tokensOf(code)).id_token);
    expect(claims).toMatchObject({
      iss: issuer,
      aud: client.id,
      sub: session.userId,
      nonce: "a nonce",
    });
  });

  test("oidcc-response-type-missing", async () => {
    const { error, state } = await authorize({ response_type: "" }, { session: users.signIn() });
    expect([error, state]).toEqual(["invalid_request", "a state"]);
  });

  test("oidcc-idtoken-signature", async () => {
    const { tokens } = await signIn();
    const { body } = await engine.run({ method: "GET", path: "/oauth2/jwks" });
    const keys = createLocalJWKSet(JSON.parse(body));
    const verified = await jwtVerify(tokens.id_token, keys, { issuer, audience: client.id });
    expect(verified.protectedHeader).toMatchObject({ alg: "RS256", kid: expect.any(String) });
  });

  test("oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body", async () => {
    const { tokens, session } = await signIn();
    const { access_token } = tokens;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const authorization = `Bearer ${access_token}`;
    const request = { method: "POST", path: "/oauth2/userinfo" } as const;
    const answers = [
      await userinfo(engine, access_token),
      await engine.run({ ...request, headers: { authorization } }),
      await engine.run({ ...request, headers: form, body: `access_token=${access_token}` }),
    ];
    for (const { status, body } of answers)
      expect([status, JSON.parse(body)]).toEqual([200, { sub: session.userId }]);
  });

  test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
    expect((await signIn()).claims).not.toHaveProperty("nonce");
  });

  test("oidcc-scope-profile, oidcc-scope-email, oidcc-scope-all", async () => {
    const profile = await infoOf((await signIn({ scope: "openid profile" })).tokens);
    expect(profile).toMatchObject({ name: "Ada" });
    expect(profile).not.toHaveProperty("email");
    const email = await infoOf((await signIn({ scope: "openid email" })).tokens);
    expect(email).toMatchObject({ email: "ada@example.com", email_verified: true });
    expect(email).not.toHaveProperty("name");
    const all = await infoOf((await signIn({ scope: "openid profile email" })).tokens);
    expect(all).toMatchObject({ name: "Ada", email: "ada@example.com" });
  });

  test("oidcc-ensure-other-scope-order-succeeds", async () => {
    const { tokens } = await signIn({ scope: "email openid" });
    expect(await infoOf(tokens)).toMatchObject({ email: "ada@example.com" });
  });

  test.each([
    ["oidcc-display-page", { display: "page" }],
    ["oidcc-display-popup", { display: "popup" }],
    ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
    ["oidcc-login-hint", { login_hint: "ada@example.com" }],
    ["oidcc-ui-locales", { ui_locales: "se" }],
    ["oidcc-claims-locales", { claims_locales: "se" }],
    ["oidcc-ensure-request-with-acr-values-succeeds", { acr_values: "1 2" }],
    ["oidcc-claims-essential", { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ])("%s", async (_, more) => {
    const { session, claims } = await signIn(more);
    expect(claims.sub).toBe(session.userId);
  });

  test("oidcc-prompt-login", async () => {
    const { place } = await authorize({ prompt: "login" }, { session: users.signIn() });
    expect(place).toBe(signInPage);
  });

  test("oidcc-prompt-none-not-logged-in", async () => {
    const { place, error } = await authorize({ prompt: "none" });
    expect([place, error]).toEqual([redirectUri, "login_required"]);
  });

  test("oidcc-prompt-none-logged-in, oidcc-id-token-hint", async () => {
    const { session, tokens, claims } = await signIn();
    const again = await signIn({ prompt: "none" }, session);
    const hinted = await signIn({ prompt: "none", id_token_hint: tokens.id_token }, session);
    for (const { sub, auth_time } of [again.claims, hinted.claims])
      expect([sub, auth_time]).toEqual([claims.sub, claims["auth_time"]]);
    const params = { prompt: "none", id_token_hint: tokens.id_token };
    const { error } = await authorize(params, { session: users.signIn() });
    expect(error).toBe("login_required");
  });

  test("oidcc-max-age-1, oidcc-max-age-10000", async () => {
    const authenticatedAt = new Date(Date.now() - 5_000);
    const session = { ...users.signIn(), authenticatedAt };
    expect((await authorize({ max_age: "1" }, { session })).place).toBe(signInPage);
    const { claims } = await signIn({ max_age: "10000" }, session);
    expect(claims["auth_time"]).toBe(Math.floor(authenticatedAt.getTime() / 1_000));
  });

  test("oidcc-codereuse, oidcc-codereuse-30seconds", async () => {
    const { code } = await authorize({}, { session: users.signIn() });
    const tokens = await tokensOf(code);
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const reuse = () => postForm(engine, "/oauth2/token", { client, form });
    const refused = { status: 400, body: expect.stringContaining("invalid_grant") };
    expect(await reuse()).toMatchObject(refused);
    clock.advance(30_000);
    expect(await reuse()).toMatchObject(refused);
    expect((await userinfo(engine, tokens.access_token)).status).toBe(401);
  });

  test("oidcc-ensure-registered-redirect-uri", async () => {
    const redirect_uri = `${redirectUri}/other`;
    const { answer } = await authorize({ redirect_uri }, { session: users.signIn() });
    expect(answer).toMatchObject({ page: { error: "invalid_redirect_uri" } });
    expect(answer.headers).not.toHaveProperty("location");
  });

  test("oidcc-server-client-secret-post", async () => {
    const metadata = { token_endpoint_auth_method: "client_secret_post" };
    const own = await addClient(db, { skipConsent: true, requirePkce: false, metadata });
    const { code } = await authorize({}, { by: own, session: users.signIn() });
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri };
    const credentials = { client_id: own.id, client_secret: own.secret };
    const answer = await engine.run({
      method: "POST",
      path: "/oauth2/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...form, ...credentials }).toString(),
    });
    expect(answer.status).toBe(200);
  });

  test("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", async () => {
    const { error } = await authorize({ request: "e30.e30." }, { session: users.signIn() });
    expect(error).toBe("request_not_supported");
  });

  test("oidcc-refresh-token", async () => {
    const { tokens } = await signIn({ scope: "openid offline_access" });
    const foreign = await refresh(engine, await addClient(db), tokens);
    expect(foreign).toMatchObject({ status: 400 });
    const answer = await refresh(engine, client, tokens);
    const { id_token } = JSON.parse(answer.body) as Tokens;
    const [before, after] = [decodeJwt(tokens.id_token), decodeJwt(id_token)];
    for (const name of ["iss", "sub", "aud", "auth_time"])
      expect(after[name]).toEqual(before[name]);
  });

  test("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
    const { searchParams } = new URL(authorizeSearch(client), issuer);
    const code_challenge = searchParams.get("code_challenge") ?? "";
    const { code } = await authorize({ code_challenge }, { session: users.signIn() });
    expect((await exchange(engine, client, code)).status).toBe(200);
    const { code: other } = await authorize({ code_challenge }, { session: users.signIn() });
    const form = { grant_type: "authorization_code", code: other, redirect_uri: redirectUri };
    expect((await postForm(engine, "/oauth2/token", { client, form })).status).toBe(400);
  });
});

describe("Form Post OP", () => {
  test("oidcc-server", async () => {
    const { answer } = await authorize({ response_mode: "form_post" }, { session: users.signIn() });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(`action="${redirectUri}"`);
    const code = /name="code" value="([^"]+)"/.exec(answer.body)?.[1] ?? "";
    expect((await tokensOf(code)).id_token).toBeDefined();
  });

  test("oidcc-prompt-none-not-logged-in", async () => {
    const { answer } = await authorize({ response_mode: "form_post", prompt: "none" });
    expect(answer.body).toContain('name="error" value="login_required"');
  });
});

describe("Config OP", () => {
  test("oidcc-discovery-endpoint-verification", async () => {
    const path = "/.well-known/openid-configuration";
    const { body } = await engine.run({ method: "GET", path });
    const metadata = JSON.parse(body) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      claims_supported: expect.arrayContaining(["sub", "name", "email"]),
      scopes_supported: expect.arrayContaining(["openid"]),
    });
    expect(metadata["id_token_signing_alg_values_supported"]).toContain("RS256");
    for (const name of ["authorization", "token", "userinfo"])
      expect(metadata[`${name}_endpoint`]).toMatch(/^https:/);
  });
});

describe("Dynamic OP", () => {
  const redirectTo = async (registered: string, redirect_uri: string) => {
    const metadata = { redirect_uris: [registered] };
    const by = await addClient(db, { skipConsent: true, requirePkce: false, metadata });
    const { answer } = await authorize({ redirect_uri }, { by, session: users.signIn() });
    return answer.page ? answer.page.error : placeOf(answer).searchParams.get("foo");
  };
  const withQuery = `${redirectUri}?foo=bar`;

  test.each([
    ["oidcc-redirect-uri-query-OK", withQuery, withQuery, "bar"],
    ["oidcc-redirect-uri-query-mismatch", withQuery, `${redirectUri}?bar=foo`, undefined],
    ["oidcc-redirect-uri-query-added", redirectUri, withQuery, undefined],
  ])("%s", async (_, registered, sent, expected = "invalid_redirect_uri") => {
    expect(await redirectTo(registered, sent)).toBe(expected);
  });
});
