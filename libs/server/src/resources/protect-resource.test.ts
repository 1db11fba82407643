import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createLatchkey } from "../create-latchkey.ts";
import { createTestKey, now, nowSeconds } from "../tokens/tokens.fixture.ts";
import type { AuthorizeOptions, ResourceOptions } from "./protect-resource.ts";

expectNoLeaks("file");

const url = "https://auth.example.com/api/auth";
const resource = "https://api.example.com/mcp";
const metadataUrl = "https://api.example.com/.well-known/oauth-protected-resource/mcp";
const key = await createTestKey("k1", { alg: "RS256", modulusLength: 2048 });

const claims = {
  iss: url,
  aud: resource,
  sub: "user1",
  client_id: "client1",
  scope: "read write",
  exp: nowSeconds + 600,
  auth_time: nowSeconds - 60,
  acr: "urn:latchkey:aal1",
};
const sign = (own: object = {}, typ = "at+jwt") => key.signWith({ typ }, { ...claims, ...own });

/** Returns the protection of an API whose Latchkey answers introspection with `answer`. */
const protect = (options: Partial<ResourceOptions> = {}, answer: object = { active: false }) => {
  const requests: { address: string; authorization: string | null; body: string }[] = [];
  const latchkey = createLatchkey({
    url,
    clock: () => now,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { url: address, headers } = request;
      const authorization = headers.get("authorization");
      requests.push({ address, authorization, body: await request.text() });
      return Response.json(address.endsWith("/oauth2/jwks") ? { keys: [key.jwk] } : answer);
    },
  });
  const api = latchkey.protectResource({ resource, scopes: ["read"], ...options });
  const call = (token: string | undefined, own?: AuthorizeOptions) =>
    api.authorize(
      { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
      own,
    );
  return { api, call, requests };
};

test("publishes where clients sign in, at the place that the challenge names", async () => {
  const { api, call } = protect({ name: "Notes" });
  expect(api.metadata).toEqual({
    resource,
    authorization_servers: [url],
    bearer_methods_supported: ["header"],
    scopes_supported: ["read"],
    resource_name: "Notes",
  });
  expect(new URL(api.metadataPath, resource).href).toBe(metadataUrl);
  expect(await call(undefined)).toMatchObject({
    ok: false,
    status: 401,
    headers: { "www-authenticate": `Bearer scope="read", resource_metadata="${metadataUrl}"` },
  });
});

test("accepts a JWT of the provider for this API, without asking again", async () => {
  const { call, requests } = protect();
  const token = await sign();
  expect(await call(token)).toMatchObject({
    ok: true,
    token: {
      subject: "user1",
      clientId: "client1",
      scopes: ["read", "write"],
      expiresAt: (nowSeconds + 600) * 1_000,
    },
  });
  expect((await call(token)).ok).toBe(true);
  expect(requests.map(({ address }) => address)).toEqual([`${url}/oauth2/jwks`]);
});

describe("a JWT is refused", () => {
  test.each([
    ["for another API", { aud: "https://api.example.com/" }, "at+jwt"],
    ["of another issuer", { iss: "https://other.example.com" }, "at+jwt"],
    ["that has expired", { exp: nowSeconds - 31 }, "at+jwt"],
    ["that is an ID token", {}, "JWT"],
    ["without a client", { client_id: undefined }, "at+jwt"],
    ["that is bound to a key", { cnf: { jkt: "x" } }, "at+jwt"],
  ])("%s", async (_, own, typ) => {
    const { call } = protect();
    expect(await call(await sign(own, typ))).toMatchObject({
      status: 401,
      error: "invalid_token",
    });
  });

  test("with too few scopes, as 403", async () => {
    expect(await protect({ scopes: ["admin"] }).call(await sign())).toMatchObject({
      status: 403,
      headers: { "www-authenticate": expect.stringContaining('error="insufficient_scope"') },
    });
  });

  test.each([
    [{ acrValues: ["urn:latchkey:aal2"] }, 'acr_values="urn:latchkey:aal2"'],
    [{ maxAgeSeconds: 59 }, 'max_age="59"'],
  ])("after a sign-in that is too weak or too old: %j", async (options, member) => {
    const refused = await protect().call(await sign(), options);
    expect(refused).toMatchObject({ status: 401, error: "insufficient_user_authentication" });
    expect(refused.ok ? "" : refused.headers["www-authenticate"]).toContain(member);
    expect((await protect().call(await sign(), { maxAgeSeconds: 60 })).ok).toBe(true);
  });
});

describe("introspection", () => {
  const client = { id: "an api", secret: "s:1" };
  const active = { active: true, ...claims };

  test("verifies an opaque token as the client of the API", async () => {
    const { call, requests } = protect({ client }, active);
    expect(await call("lk_at_1")).toMatchObject({ ok: true, token: { subject: "user1" } });
    expect(requests).toEqual([
      {
        address: `${url}/oauth2/introspect`,
        authorization: `Basic ${btoa("an%20api:s%3A1")}`,
        body: "token=lk_at_1",
      },
    ]);
  });

  test("refuses tokens that are inactive, or for another API", async () => {
    for (const answer of [{ active: false }, { ...active, aud: "https://other.example.com/" }])
      expect(await protect({ client }, answer).call("lk_at_1")).toMatchObject({ status: 401 });
  });

  test("tells of a JWT whose sign-in has ended", async () => {
    const { call } = protect({ client });
    const token = await sign();
    expect((await call(token)).ok).toBe(true);
    expect(await call(token, { live: true })).toMatchObject({ status: 401 });
  });

  test("is not possible without a client", async () => {
    expect(await protect().call("lk_at_1")).toMatchObject({ status: 401 });
    await expect(protect().call("lk_at_1", { live: true })).rejects.toThrow(TypeError);
  });
});

test.each(["not a URL", "https://api.example.com/#part", "ftp://api.example.com/"])(
  "refuses %j as a resource",
  (bad) => {
    expect(() => protect({ resource: bad })).toThrow(TypeError);
  },
);
