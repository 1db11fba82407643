import { expectNoLeaks } from "@latchkey/testkit";
import { createLocalJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import {
  addClient,
  api,
  authorizeSearch,
  createUsers,
  exchange,
  isActive,
  obtainCode,
  opaqueApi,
  openOauthDatabase,
  placeOf,
  postForm,
  startEngine,
  type TestClient,
  type Tokens,
  userinfo,
} from "./engine.fixture.ts";

expectNoLeaks("file");

const { db } = await openOauthDatabase(4);
const users = createUsers();
const engine = startEngine(db, { users });
const resource = api.identifier;
const scope = "openid offline_access reports";

const addLinked = (own: Parameters<typeof addClient>[1] = {}) =>
  addClient(db, { resources: `${resource} ${opaqueApi.identifier}`, ...own });

/** Returns the claims of a JWT, verified as an API does. */
const verify = async (token: string) => {
  const { body } = await engine.run({ method: "GET", path: "/oauth2/jwks" });
  const keys = createLocalJWKSet(JSON.parse(body));
  return jwtVerify(token, keys, {
    issuer: engine.provider.issuer,
    audience: resource,
    typ: "at+jwt",
  });
};

const obtain = async (client: TestClient, session = users.signIn()) => {
  const code = await obtainCode(engine, client, {
    session,
    more: { scope, resource },
    scopes: ["openid", "offline_access", "reports"],
  });
  const answer = await exchange(engine, client, { code, resource });
  expect(answer).toMatchObject({ status: 200 });
  return { session, tokens: JSON.parse(answer.body) as Tokens };
};

test("gives a resource a JWT of ten minutes with its own scopes, and an ID token beside it", async () => {
  const client = await addLinked();
  const { tokens, session } = await obtain(client);
  expect(tokens).toMatchObject({ expires_in: 600, scope: "reports" });
  expect(tokens.id_token).toBeDefined();
  const { payload, protectedHeader } = await verify(tokens.access_token);
  expect(protectedHeader.alg).toBe("RS256");
  expect(payload).toMatchObject({
    sub: session.userId,
    client_id: client.id,
    azp: client.id,
    scope: "reports",
    acr: "urn:latchkey:aal1",
    amr: ["pwd"],
    auth_time: expect.any(Number),
    jti: expect.any(String),
  });
  expect(payload["sid"]).not.toBe(session.sessionId);
  // The token is for the API, and not for the provider.
  expect((await userinfo(engine, tokens.access_token)).status).toBe(401);
});

describe("introspection of a JWT", () => {
  test("tells its client and the API's, and nobody else", async () => {
    const { tokens } = await obtain(await addLinked());
    expect(await isActive(engine, await addLinked(), tokens.access_token)).toBe(true);
    expect(await isActive(engine, await addClient(db), tokens.access_token)).toBe(false);
    const [header, , signature] = tokens.access_token.split(".");
    const forged = [header, Buffer.from("{}").toString("base64url"), signature].join(".");
    expect(await isActive(engine, await addLinked(), forged)).toBe(false);
  });

  test("says inactive once its user is banned", async () => {
    const client = await addLinked();
    const { tokens, session } = await obtain(client);
    users.of(session.userId).isBanned = true;
    expect(await isActive(engine, client, tokens.access_token)).toBe(false);
  });

  test("says inactive once it is revoked, which ends its grant", async () => {
    const client = await addLinked();
    const { tokens } = await obtain(client);
    const form = { token: tokens.access_token };
    expect(await postForm(engine, "/oauth2/revoke", { client, form })).toMatchObject({
      status: 200,
    });
    expect(await isActive(engine, client, tokens.access_token)).toBe(false);
    expect(await isActive(engine, client, tokens.refresh_token)).toBe(false);
  });
});

test("keeps the scopes of a resource through a refresh", async () => {
  const client = await addLinked();
  const { tokens } = await obtain(client);
  const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, resource };
  const answer = await postForm(engine, "/oauth2/token", { client, form });
  const { payload } = await verify((JSON.parse(answer.body) as Tokens).access_token);
  expect(payload).toMatchObject({ scope: "reports", acr: "urn:latchkey:aal1" });
});

test("gives an opaque token where the resource asks for it", async () => {
  const client = await addLinked();
  const session = users.signIn();
  const more = { scope: "openid reports", resource: opaqueApi.identifier };
  const scopes = ["openid", "reports"];
  const code = await obtainCode(engine, client, { session, more, scopes });
  const answer = await exchange(engine, client, { code, resource: opaqueApi.identifier });
  const { access_token } = JSON.parse(answer.body) as Tokens;
  expect(access_token).toMatch(/^lk_at_/);
  const form = { token: access_token };
  const introspected = await postForm(engine, "/oauth2/introspect", {
    client: await addLinked(),
    form,
  });
  expect(JSON.parse(introspected.body)).toMatchObject({
    active: true,
    aud: opaqueApi.identifier,
    scope: "reports",
    sub: session.userId,
  });
});

test("gives a machine a JWT for the scopes that it and the resource share", async () => {
  const client = await addLinked({ machineScopes: "reports other" });
  const form = { grant_type: "client_credentials", resource };
  const answer = await postForm(engine, "/oauth2/token", { client, form });
  const { access_token, scope: granted } = JSON.parse(answer.body) as Tokens;
  expect(granted).toBe("reports");
  expect((await verify(access_token)).payload).toMatchObject({ sub: client.id, scope: "reports" });
  expect(await isActive(engine, client, access_token)).toBe(true);
});

test.each([
  ["an unknown resource", "https://unknown.example.com/"],
  ["a resource that the client was not given", resource],
])("refuses %s at authorization and to a machine", async (_, identifier) => {
  const client = await addClient(db, { machineScopes: "reports" });
  const search = authorizeSearch(client, { resource: identifier, scope: "openid" });
  const request = { method: "GET", path: "/oauth2/authorize", search } as const;
  const answer = await engine.run({ ...request, session: users.signIn() });
  expect(placeOf(answer).searchParams.get("error")).toBe("invalid_target");
  const form = { grant_type: "client_credentials", resource: identifier };
  expect(await postForm(engine, "/oauth2/token", { client, form })).toMatchObject({
    status: 400,
    body: expect.stringContaining("invalid_target"),
  });
});

/** Attack: a consent for one API opens another one whose scopes have the same names. */
test("asks for consent for each resource", async () => {
  const client = await addLinked();
  const { userId, ...session } = users.signIn();
  const names = ["openid", `${resource}\\`, `${resource}\\reports`];
  const now = new Date();
  await db
    .insertInto("consent")
    .values({
      id: client.id,
      clientId: client.id,
      userId,
      scopes: names.join(" "),
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  const authorize = async (own: Record<string, string>) => {
    const search = authorizeSearch(client, { prompt: "none", ...own });
    const request = { method: "GET", path: "/oauth2/authorize", search } as const;
    const answer = await engine.run({ ...request, session: { userId, ...session } });
    const { searchParams } = placeOf(answer);
    return searchParams.get("error") ?? (searchParams.has("code") ? "code" : "none");
  };
  expect(await authorize({ scope: "openid reports", resource })).toBe("code");
  expect(await authorize({ scope: "openid reports invoices", resource })).toBe("consent_required");
  for (const scopes of ["openid reports", "openid"])
    expect(await authorize({ scope: scopes, resource: opaqueApi.identifier })).toBe(
      "consent_required",
    );
});
