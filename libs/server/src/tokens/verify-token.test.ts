import { createHmac } from "node:crypto";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { createKeySet } from "./key-set.ts";
import { algorithms, claims, createTestKey, now, nowSeconds, origin } from "./tokens.fixture.ts";
import { isJwt, verifyToken } from "./verify-token.ts";

expectNoLeaks("file");

const rules = { issuers: [origin], audiences: [origin], clockToleranceSeconds: 30 };
const keysOf = (...jwks: Record<string, unknown>[]) =>
  createKeySet({
    fetchKeys: () => Promise.resolve(jwks),
    maxAgeMilliseconds: 600_000,
    clock: () => now,
  });
const verify = (token: unknown, ...jwks: Record<string, unknown>[]) =>
  verifyToken(token, { keys: keysOf(...jwks), rules, now });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each(algorithms)("accepts tokens that Latchkey signs by $alg $crv", async (kind) => {
  const key = await createTestKey("k1", kind);
  expect(await verify(key.sign(claims), key.jwk)).toEqual({ ok: true, claims });
});

test.each(algorithms)("refuses a changed payload, signed by $alg $crv", async (kind) => {
  const key = await createTestKey("k1", kind);
  const [header = "", , signature = ""] = key.sign(claims).split(".");
  const forged = [header, encode({ ...claims, sub: "user2" }), signature].join(".");
  expect(await verify(forged, key.jwk)).toEqual({ ok: false, reason: "wrong-signature" });
});

describe("claims", () => {
  const late = { exp: nowSeconds - 31 };
  test.each([
    ["wrong-issuer", { iss: "https://other.example.com" }],
    ["wrong-audience", { aud: "https://shop.example.com" }],
    ["wrong-audience", { aud: [] }],
    ["expired", late],
    ["expired", { exp: nowSeconds - 30 }],
    ["not-yet-valid", { nbf: nowSeconds + 31 }],
    ["malformed", { exp: undefined }],
    ["malformed", { exp: "9999999999" }],
    ["malformed", { nbf: "now" }],
    ["malformed", { sub: "" }],
    ["malformed", { sub: 7 }],
    ["malformed", { iss: [origin] }],
    ["malformed", { aud: { 0: origin } }],
    ["malformed", { aud: [origin, 7] }],
  ])("%s: %j", async (reason, own) => {
    const key = await createTestKey("k1");
    expect(await verify(key.sign({ ...claims, ...own }), key.jwk)).toEqual({
      ok: false,
      reason,
    });
  });

  test.each([
    { exp: nowSeconds - 29 },
    { nbf: nowSeconds + 30 },
    { aud: ["https://shop.example.com", origin] },
    { act: { sub: "admin1" } },
  ])("accepts %j", async (own) => {
    const key = await createTestKey("k1");
    const tokenClaims = { ...claims, ...own };
    expect(await verify(key.sign(tokenClaims), key.jwk)).toEqual({ ok: true, claims: tokenClaims });
  });
});

/** Attack: the token chooses a weaker algorithm, or another key, than the published one (RFC 8725, section 2). */
describe("forged headers", () => {
  test("refuses a token without a signature", async () => {
    const { jwk } = await createTestKey("k1");
    for (const signature of ["", "AA"]) {
      const token = `${encode({ alg: "none", kid: "k1" })}.${encode(claims)}.${signature}`;
      expect(await verify(token, jwk)).toEqual({ ok: false, reason: "malformed" });
    }
  });

  test("refuses a public key used as the secret of an HMAC", async () => {
    const { jwk } = await createTestKey("k1", { alg: "RS256", modulusLength: 2048 });
    const signed = `${encode({ alg: "HS256", kid: "k1" })}.${encode(claims)}`;
    const mac = createHmac("sha256", JSON.stringify(jwk)).update(signed).digest("base64url");
    expect(await verify(`${signed}.${mac}`, jwk)).toEqual({ ok: false, reason: "malformed" });
  });

  test("refuses the key that the token brings along", async () => {
    const { jwk } = await createTestKey("k1");
    const stranger = await createTestKey("k1");
    const own = { jwk: stranger.jwk, jku: "https://evil.example" };
    const token = await stranger.signWith(own, claims);
    expect(await verify(token, jwk)).toEqual({ ok: false, reason: "wrong-signature" });
  });

  test("refuses an algorithm other than the key's own", async () => {
    const key = await createTestKey("k1", { alg: "RS256", modulusLength: 2048 });
    const token = key.sign(claims);
    expect(await verify(token, { ...key.jwk, alg: "PS256" })).toEqual({
      ok: false,
      reason: "malformed",
    });
  });

  test("refuses critical extensions", async () => {
    const key = await createTestKey("k1");
    const [, payload] = key.sign(claims).split(".");
    const header = encode({ alg: "EdDSA", kid: "k1", crit: ["b64"], b64: false });
    expect(await verify(`${header}.${payload}.AA`, key.jwk)).toEqual({
      ok: false,
      reason: "malformed",
    });
  });

  test("refuses a key that is not published", async () => {
    const [key, other] = await Promise.all([createTestKey("k1"), createTestKey("k2")]);
    const refused = { ok: false, reason: "unknown-key" };
    expect(await verify(key.sign(claims), other.jwk)).toEqual(refused);
  });
});

test.each([
  ["a symmetric key", { kty: "oct", k: "c2VjcmV0", alg: "HS256" }],
  ["a key without an algorithm", { kty: "OKP", crv: "Ed25519", x: "AA" }],
  ["a key that is none", { kty: "OKP", crv: "Ed25519", x: "AA", alg: "EdDSA" }],
  ["a curve of another algorithm", { kty: "EC", crv: "P-384", x: "AA", y: "AA", alg: "ES256" }],
])("ignores %s among the published keys", async (_, jwk) => {
  const key = await createTestKey("k1");
  expect(await verify(key.sign(claims), { ...jwk, kid: "k0" }, key.jwk)).toMatchObject({
    ok: true,
  });
  expect(await verify(key.sign(claims), { ...jwk, kid: "k1" })).toEqual({
    ok: false,
    reason: "unknown-key",
  });
});

const header = encode({ alg: "EdDSA", kid: "k1" });
test.each([
  ["an empty text", ""],
  ["no JSON", "a.b.c"],
  ["one part", "eyJhbGciOiJFZERTQSJ9"],
  ["a payload that is a list", `${header}.${encode([])}.AA`],
  ["a payload that is null", `${header}.${encode(null)}.AA`],
  ["a payload that is not base64url", `${header}.AAAAA.AA`],
  ["no key id", `${encode({ alg: "EdDSA" })}.${encode(claims)}.AA`],
  ["a cut signature", `${header}.${encode(claims)}.A`],
  ["a padded signature", `${header}.${encode(claims)}.AA==`],
  ["a long text", `${header}.${encode({ ...claims, pad: "x".repeat(20_000) })}.AA`],
  ["nothing", undefined],
  ["a number", 7],
])("%s is malformed", async (_, token) => {
  expect(await verify(token)).toEqual({ ok: false, reason: "malformed" });
});

test("distinguishes a JWT from the token of a session", async () => {
  const key = await createTestKey("k1");
  expect(isJwt(key.sign(claims))).toBe(true);
  for (const token of ["McuaA4estx8wXimh9p6xr6kwSpk3F9cF", "eyJabc", "eyJtoken.c2lnbmF0dXJl"])
    expect(isJwt(token)).toBe(false);
});
