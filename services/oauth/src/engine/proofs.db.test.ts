import { createHash, randomUUID } from "node:crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  addClient,
  api,
  authorizeSearch,
  createUsers,
  exchange,
  interactionOf,
  obtainCode,
  openOauthDatabase,
  placeOf,
  postForm,
  redirectUri,
  startEngine,
  type TestClient,
  type Tokens,
  verifier,
} from "./engine.fixture.ts";

expectNoLeaks("file");

const callers = 16;
const { db, connect } = await openOauthDatabase(callers);
const users = createUsers();
const engine = startEngine(db, { users });
const other = startEngine(connect(callers), { users });
const { issuer } = engine.provider;

const keys = await generateKeyPair("ES256", { extractable: true });
const jwk = { ...(await exportJWK(keys.publicKey)), kid: "k1", alg: "ES256", use: "sig" };

/** Signs an assertion of a client (RFC 7523). */
const assertion = ({ id }: TestClient, own: Record<string, unknown> = {}) =>
  new SignJWT({ iss: id, sub: id, aud: issuer, jti: randomUUID(), ...own })
    .setProtectedHeader({ alg: "ES256", kid: "k1" })
    .setIssuedAt()
    .setExpirationTime("60s")
    .sign(keys.privateKey);

const asserted = (text: string) => ({
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: text,
});

/** Signs a proof that the client has the key (RFC 9449). */
const proof = (own: Record<string, unknown> = {}) =>
  new SignJWT({ jti: randomUUID(), htm: "POST", htu: `${issuer}/oauth2/token`, ...own })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk })
    .setIssuedAt()
    .sign(keys.privateKey);

const addKeyClient = (metadata: object = {}) =>
  addClient(db, {
    machineScopes: "reports",
    resources: api.identifier,
    metadata: { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [jwk] }, ...metadata },
  });

const post = (
  path: string,
  form: Record<string, string>,
  { at = engine, headers = {} }: { at?: typeof engine; headers?: Record<string, string> } = {},
) =>
  at.run({
    method: "POST",
    path,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(form).toString(),
  });

describe("private_key_jwt", () => {
  const grant_type = "client_credentials";

  test("lets one of sixteen uses of an assertion get a token, over two replicas", async () => {
    const client = await addKeyClient();
    const form = { grant_type, ...asserted(await assertion(client)) };
    const answers = await Promise.all(
      Array.from({ length: callers }, (_, index) =>
        post("/oauth2/token", form, { at: index % 2 === 0 ? engine : other }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await post("/oauth2/token", form)).status).not.toBe(200);
  });

  test.each([
    ["of another client", { iss: "somebody" }],
    ["for another server", { aud: "https://other.example.com" }],
    ["without an id", { jti: undefined }],
  ])("refuses an assertion %s", async (_, own) => {
    const client = await addKeyClient();
    const form = { grant_type, client_id: client.id, ...asserted(await assertion(client, own)) };
    expect(await post("/oauth2/token", form)).toMatchObject({
      status: 400,
      body: expect.stringContaining("invalid_client"),
    });
  });

  test("is not replaced by a secret", async () => {
    const client = await addKeyClient();
    const answer = await postForm(engine, "/oauth2/token", { client, form: { grant_type } });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      401,
      { error: "invalid_client" },
    ]);
  });
});

describe("a token that is bound to a key", () => {
  const obtain = async () => {
    const client = await addClient(db, { metadata: { dpop_bound_access_tokens: true } });
    const code = await obtainCode(engine, client, { session: users.signIn() });
    const dpop = await proof();
    const answer = await exchange(engine, client, { code, dpop });
    expect(answer.status).toBe(200);
    return { client, dpop, tokens: JSON.parse(answer.body) as Tokens & { token_type: string } };
  };
  const refresh = (client: TestClient, { refresh_token }: Tokens, headers = {}) =>
    postForm(engine, "/oauth2/token", {
      client,
      form: { grant_type: "refresh_token", refresh_token },
      headers,
    });

  test("is shown with a proof only, and each proof once", async () => {
    const { tokens, dpop } = await obtain();
    expect(tokens.token_type).toBe("DPoP");
    const show = async (authorization: string, sent?: string) => {
      const headers = { authorization, ...(sent !== undefined && { dpop: sent }) };
      return (await engine.run({ method: "GET", path: "/oauth2/userinfo", headers })).status;
    };
    const ath = createHash("sha256").update(tokens.access_token).digest("base64url");
    const own = { htm: "GET", htu: `${issuer}/oauth2/userinfo`, ath };
    const scheme = `DPoP ${tokens.access_token}`;
    const good = await proof(own);
    expect(await show(scheme, good)).toBe(200);
    expect(await show(scheme, good)).toBe(401);
    expect(await show(scheme, dpop)).toBe(401);
    expect(await show(`Bearer ${tokens.access_token}`)).toBe(401);
  });

  test("is refreshed with the same key only, also by a client with a secret", async () => {
    const { client, tokens } = await obtain();
    expect((await refresh(client, tokens)).status).toBe(400);
    const stranger = await generateKeyPair("ES256", { extractable: true });
    const foreign = await new SignJWT({
      jti: randomUUID(),
      htm: "POST",
      htu: `${issuer}/oauth2/token`,
    })
      .setProtectedHeader({
        alg: "ES256",
        typ: "dpop+jwt",
        jwk: await exportJWK(stranger.publicKey),
      })
      .setIssuedAt()
      .sign(stranger.privateKey);
    expect((await refresh(client, tokens, { dpop: foreign })).status).toBe(400);
    expect((await refresh(client, tokens, { dpop: await proof() })).status).toBe(200);
  });
});

describe("a client with the FAPI 2.0 profile", () => {
  const addFapiClient = () =>
    addKeyClient({
      profile: "fapi2",
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
    });

  test("gets a JWT that names its key, by a pushed request, an assertion and a proof", async () => {
    const client = await addFapiClient();
    const session = users.signIn();
    const resource = api.identifier;
    const own = { scope: "openid reports", resource };
    const form = Object.fromEntries(new URLSearchParams(authorizeSearch(client, own)));
    const pushed = await post("/oauth2/par", { ...form, ...asserted(await assertion(client)) });
    expect(pushed.status).toBe(201);
    const { request_uri } = JSON.parse(pushed.body) as { request_uri: string };
    const search = `?${new URLSearchParams({ client_id: client.id, request_uri }).toString()}`;
    const page = await engine.run({ method: "GET", path: "/oauth2/authorize", search, session });
    const result = { consent: { scopes: ["openid", "reports"] } };
    const answered = await engine.resume(interactionOf(page), { session, result });
    const token = await post(
      "/oauth2/token",
      {
        grant_type: "authorization_code",
        code: placeOf(answered).searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier,
        resource,
        ...asserted(await assertion(client)),
      },
      { headers: { dpop: await proof() } },
    );
    expect(token).toMatchObject({ status: 200 });
    const { access_token } = JSON.parse(token.body) as Tokens;
    const [, payload = ""] = access_token.split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      cnf: { jkt: await calculateJwkThumbprint(jwk) },
    });
  });

  test("must push its request, and name the issuer in its assertion", async () => {
    const client = await addFapiClient();
    const search = authorizeSearch(client, { scope: "openid" });
    const request = { method: "GET", path: "/oauth2/authorize", search } as const;
    const direct = await engine.run({ ...request, session: users.signIn() });
    expect(placeOf(direct).searchParams.get("error")).toBe("invalid_request");
    const form = Object.fromEntries(new URLSearchParams(search));
    const aud = `${issuer}/oauth2/token`;
    const sent = { ...form, ...asserted(await assertion(client, { aud })) };
    expect((await post("/oauth2/par", sent)).status).toBe(400);
  });

  test("needs a proof for its tokens", async () => {
    const client = await addFapiClient();
    const form = { grant_type: "client_credentials", ...asserted(await assertion(client)) };
    expect((await post("/oauth2/token", form)).status).toBe(400);
    const again = { ...form, ...asserted(await assertion(client)) };
    const headers = { dpop: await proof() };
    expect((await post("/oauth2/token", again, { headers })).status).toBe(200);
  });
});
