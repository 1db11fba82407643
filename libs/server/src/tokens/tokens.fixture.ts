import { createTokenSigner, generateJwkPair, type KeyPairAlgorithm } from "@latchkey/crypto";
import { importJWK, SignJWT } from "jose";

/** Every algorithm that Latchkey signs with. */
export const algorithms: readonly KeyPairAlgorithm[] = [
  { alg: "EdDSA", crv: "Ed25519" },
  { alg: "EdDSA", crv: "Ed448" },
  { alg: "ES256" },
  { alg: "ES512" },
  { alg: "RS256", modulusLength: 2048 },
  { alg: "PS256", modulusLength: 2048 },
];

/** A published key, and tokens that are signed by it. */
export interface TestKey {
  jwk: Record<string, unknown>;
  /** Signs as Latchkey does. */
  sign(claims: object): string;
  /** Signs with further members of the header. */
  signWith(header: Record<string, unknown>, claims: Record<string, unknown>): Promise<string>;
}

/** Creates a key, by default for Ed25519. */
export const createTestKey = async (
  kid: string,
  algorithm: KeyPairAlgorithm = { alg: "EdDSA", crv: "Ed25519" },
): Promise<TestKey> => {
  const { alg } = algorithm;
  const { publicJwk, privateJwk } = await generateJwkPair(algorithm);
  const { sign } = createTokenSigner({ kid, alg }, privateJwk);
  return {
    jwk: { ...publicJwk, kid, alg },
    sign,
    signWith: async (header, claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid, ...header })
        .sign(await importJWK({ ...privateJwk, alg })),
  };
};

export const now = Date.parse("2030-01-01T00:00:00.000Z");
export const nowSeconds = now / 1_000;
export const origin = "https://auth.example.com";

/** The claims of a valid token. */
export const claims = {
  sub: "user1",
  iss: origin,
  aud: origin,
  iat: nowSeconds,
  exp: nowSeconds + 900,
  email: "ada@example.com",
};
