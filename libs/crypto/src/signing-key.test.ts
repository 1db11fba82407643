import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import {
  createTokenSigner,
  generateJwkPair,
  type Jwk,
  type KeyPairAlgorithm,
  toPublicJwk,
} from "./signing-key.ts";

const ed448: KeyPairAlgorithm = { alg: "EdDSA", crv: "Ed448" };
const algorithms: readonly KeyPairAlgorithm[] = [
  { alg: "EdDSA", crv: "Ed25519" },
  { alg: "ES256" },
  { alg: "ES512" },
  { alg: "RS256", modulusLength: 2048 },
  { alg: "PS256", modulusLength: 2048 },
  { alg: "RS256", modulusLength: 3072 },
];
const named = [...algorithms, ed448].map(
  (algorithm) => [Object.values(algorithm).join(" "), algorithm] as const,
);

const payload = { name: "Ada Lövelace", at: new Date(1_893_456_000_000), none: undefined };
const kid = "key-1";

const sign = async (algorithm: KeyPairAlgorithm, body: object = payload) => {
  const pair = await generateJwkPair(algorithm);
  const { alg } = algorithm;
  return { ...pair, token: createTokenSigner({ kid, alg }, pair.privateJwk).sign(body) };
};

/** The JWT library that most verifiers use does not support Ed448. */
const isGoodEd448 = (token: string, publicJwk: Jwk): boolean => {
  const [header, body, signature = ""] = token.split(".");
  const key = createPublicKey({ key: publicJwk, format: "jwk" });
  return verify(null, Buffer.from(`${header}.${body}`), key, Buffer.from(signature, "base64url"));
};

test.each(named.slice(0, -1))(
  "another library verifies a token of %s with the public key",
  async (_, algorithm) => {
    const { publicJwk, token } = await sign(algorithm);
    const keys = createLocalJWKSet({ keys: [{ ...publicJwk, kid, alg: algorithm.alg }] });
    const verified = await jwtVerify(token, keys);
    expect(verified.payload).toEqual({ name: "Ada Lövelace", at: "2030-01-01T00:00:00.000Z" });
  },
);

test("only the public key of the pair verifies an Ed448 token", async () => {
  const { publicJwk, token } = await sign(ed448);
  expect(isGoodEd448(token, publicJwk)).toBe(true);
  expect(isGoodEd448(token, (await generateJwkPair(ed448)).publicJwk)).toBe(false);
});

test.each(named)("the header of a token of %s is exactly alg and kid", async (_, algorithm) => {
  const { token } = await sign(algorithm);
  expect(decodeProtectedHeader(token)).toStrictEqual({ alg: algorithm.alg, kid });
});

/** Attack: using the published key to sign tokens. */
test.each(named)("the public key of %s holds nothing private", async (_, algorithm) => {
  const { publicJwk, privateJwk } = await generateJwkPair(algorithm);
  const secret = new Set(["d", "p", "q", "dp", "dq", "qi", "oth", "k"]);
  expect(Object.keys(publicJwk).filter((name) => secret.has(name))).toEqual([]);
  expect(publicJwk).toEqual(toPublicJwk(privateJwk));
  expect(toPublicJwk(publicJwk)).toEqual(publicJwk);
});

test("each call creates a different pair", async () => {
  const pairs = await Promise.all(Array.from({ length: 4 }, () => generateJwkPair(ed448)));
  expect(new Set(pairs.map(({ privateJwk }) => privateJwk.d)).size).toBe(4);
});

test("rejects an RSA modulus below 2048 bits", async () => {
  await expect(generateJwkPair({ alg: "RS256", modulusLength: 1024 })).rejects.toThrow(TypeError);
});

/** Attack: algorithm confusion (RFC 8725 section 3.1), by a stored key that does not match its row. */
describe("a key that does not fit its algorithm signs nothing", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const unlisted = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
  test.each<[string, string, () => Jwk | Promise<Jwk>]>([
    [
      "an Ed25519 key as ES256",
      "ES256",
      async () => (await generateJwkPair(named[0]![1])).privateJwk,
    ],
    [
      "a P-256 key as EdDSA",
      "EdDSA",
      async () => (await generateJwkPair({ alg: "ES256" })).privateJwk,
    ],
    [
      "a P-256 key as ES512",
      "ES512",
      async () => (await generateJwkPair({ alg: "ES256" })).privateJwk,
    ],
    ["a P-384 key as ES256", "ES256", () => unlisted.export({ format: "jwk" })],
    [
      "a P-256 key as RS256",
      "RS256",
      async () => (await generateJwkPair({ alg: "ES256" })).privateJwk,
    ],
    ["an RSA key of 1024 bits", "RS256", () => weak.export({ format: "jwk" })],
    ["an algorithm without a signature", "none", () => unlisted.export({ format: "jwk" })],
    [
      "an algorithm named as a member of objects",
      "constructor",
      () => unlisted.export({ format: "jwk" }),
    ],
    ["a public key", "EdDSA", async () => (await generateJwkPair(ed448)).publicJwk],
    ["a shared secret", "EdDSA", () => ({ kty: "oct", k: "c2VjcmV0" })],
    ["no key at all", "EdDSA", () => ({})],
  ])("%s", async (_, alg, jwk) => {
    const privateKey = await jwk();
    expect(() => createTokenSigner({ kid, alg }, privateKey)).toThrow(TypeError);
  });
});

test("the error about an unreadable key reveals nothing of it", () => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: "AAAA", d: "private-part-of-the-key" };
  expect(() => createTokenSigner({ kid, alg: "EdDSA" }, jwk)).toThrow(/^not a private JWK$/);
});
