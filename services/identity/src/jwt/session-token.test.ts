import type { LatchkeyConfig, TokenSubject } from "@latchkey/contracts";
import { createTokenSigner, generateJwkPair } from "@latchkey/crypto";
import { readSettings } from "@latchkey/service-kit/config";
import type { ResolvedSession } from "@latchkey/service-kit/http";
import { createTestClock, newCaller } from "@latchkey/testkit";
import { decodeJwt } from "jose";
import { beforeAll, expect, test } from "vitest";
import { readIdentityConfig } from "../config.ts";
import { issueToken } from "./session-token.ts";

type TokenOptions = NonNullable<NonNullable<LatchkeyConfig["jwt"]>["jwt"]>;

const clock = createTestClock("2030-01-01T00:00:00.900Z");
const nowSeconds = 1_893_456_000;
const at = new Date("2029-12-31T00:00:00.000Z");
const caller = { ...newCaller("getToken"), baseUrl: "https://auth.example.com/api/auth" };
const resolved: Pick<ResolvedSession, "authentication" | "session" | "user"> = {
  user: {
    id: "u1",
    name: "Ada",
    email: "ada@example.com",
    emailVerified: true,
    image: null,
    createdAt: at,
    updatedAt: at,
  },
  session: {
    id: "s1",
    token: "the token of the session",
    userId: "u1",
    expiresAt: at,
    createdAt: at,
    updatedAt: at,
    ipAddress: "192.0.2.1",
    userAgent: "A browser/1.0",
  },
};
const iso = "2029-12-31T00:00:00.000Z";
const shown = { ...resolved.user, createdAt: iso, updatedAt: iso };
const origin = "https://auth.example.com";
const claims = { iat: nowSeconds, iss: origin, aud: origin, exp: nowSeconds + 900, sub: "u1" };

let signer: ReturnType<typeof createTokenSigner>;
beforeAll(async () => {
  const { privateJwk } = await generateJwkPair({ alg: "EdDSA", crv: "Ed25519" });
  signer = createTokenSigner({ kid: "key-1", alg: "EdDSA" }, privateJwk);
});

const issue = (jwt: TokenOptions = {}, subject = resolved, own: object = {}) => {
  const common = { secret: ["a secret for tests"], databaseUrl: "postgres://localhost/any" };
  const settings = readSettings({ ...common, ...own, jwt: { jwt } }, {});
  const deps = { clock: clock.now, config: readIdentityConfig(settings) };
  return issueToken(deps, subject, { signer, caller });
};
const payload = async (jwt: TokenOptions = {}, subject = resolved) =>
  decodeJwt((await issue(jwt, subject)).token);

test("contains the user, issued by and for the origin of the base URL, for 15 minutes", async () => {
  expect(await payload()).toStrictEqual({ ...shown, ...claims });
});

test("contains the user's additional fields that are set", async () => {
  const user = { ...resolved.user, plan: "free", since: at, role: undefined };
  expect(await payload({}, { ...resolved, user })).toStrictEqual({
    ...shown,
    plan: "free",
    since: iso,
    ...claims,
  });
});

test("gives definePayload how the user was authenticated", async () => {
  const definePayload = ({ authentication }: TokenSubject) => ({ amr: authentication?.methods });
  const authentication = { authenticatedAt: at, secondFactorAt: at, methods: "password,totp" };
  const amr = ["password", "totp"];
  expect(await payload({ definePayload }, { ...resolved, authentication })).toMatchObject({ amr });
});

test("uses the result of definePayload for user and session as the payload", async () => {
  const definePayload = async ({ user, session }: TokenSubject) => ({
    mail: user.email,
    session: session.id,
    jti: "t1",
  });
  const own = { mail: "ada@example.com", session: "s1", jti: "t1" };
  expect(await payload({ definePayload })).toStrictEqual({ ...own, ...claims });
});

test("keeps the registered claims even if the payload contains them", async () => {
  const forged = { iat: 1, iss: "me", aud: "you", exp: 9_999_999_999, sub: "root", nbf: 5 };
  expect(await payload({ definePayload: () => forged })).toStrictEqual({ nbf: 5, ...claims });
});

test("leaves the reply unchanged if a function edits its arguments", async () => {
  const definePayload = ({ user }: TokenSubject) => {
    user.email = "changed";
    return { ...user };
  };
  expect((await payload({ definePayload }))["email"]).toBe("changed");
  expect(resolved.user.email).toBe("ada@example.com");
});

test.each([
  ["https://auth.example.com/accounts", "https://auth.example.com/accounts"],
  ["https://auth.example.com/accounts/", "https://auth.example.com/accounts"],
  ["https://auth.example.com", origin],
  ["https://auth.example.com/", origin],
])("with %s as the base URL, issuer and audience are %s", async (baseURL, name) => {
  const { token } = await issue({}, resolved, { baseURL });
  expect(decodeJwt(token)).toMatchObject({ iss: name, aud: name });
});

test("takes issuer, audience and subject from the options", async () => {
  const options: TokenOptions = {
    issuer: "latchkey",
    audience: ["api", "web"],
    getSubject: async ({ user, session }) => `${user.id}/${session.id}`,
  };
  expect(await payload(options)).toMatchObject({
    iss: "latchkey",
    aud: ["api", "web"],
    sub: "u1/s1",
  });
});

test.each<[TokenOptions["expirationTime"], number]>([
  ["1h", nowSeconds + 3_600],
  ["2 days", nowSeconds + 172_800],
  [nowSeconds + 5, nowSeconds + 5],
  [new Date((nowSeconds + 7) * 1000 + 999), nowSeconds + 7],
])("with the expiration time %j it expires at %i", async (expirationTime, exp) => {
  const { token, lifetimeSeconds } = await issue({ expirationTime });
  expect([decodeJwt(token).exp, lifetimeSeconds]).toEqual([exp, exp - nowSeconds]);
});

test.each<[string, object]>([
  [
    "definePayload throws",
    {
      definePayload: () => {
        throw new Error("no");
      },
    },
  ],
  ["definePayload rejects", { definePayload: () => Promise.reject(new Error("no")) }],
  ["definePayload gives nothing", { definePayload: () => undefined }],
  ["definePayload gives null", { definePayload: () => null }],
  ["definePayload gives a list", { definePayload: () => ["admin"] }],
  ["definePayload gives text", { definePayload: () => "admin" }],
  ["definePayload gives what JSON cannot carry", { definePayload: () => ({ big: 1n }) }],
  [
    "getSubject throws",
    {
      getSubject: () => {
        throw new Error("no");
      },
    },
  ],
  ["getSubject gives a number", { getSubject: () => 1 }],
  ["getSubject gives nothing", { getSubject: async () => {} }],
])("issues no token if %s", async (_, jwt) => {
  await expect(issue(jwt)).rejects.toThrow();
});
