type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A published key that can verify signatures. */
export interface VerificationKey {
  kid: string;
  /** The only algorithm that the key is used for (RFC 8725, section 3.1). */
  alg: string;
  verify(signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<boolean>;
}

interface Scheme {
  /** Members of the public key, and nothing else, so that a private or restricted key is never used. */
  members: readonly string[];
  key: { name: string; namedCurve?: string; hash?: string };
  signature: { name: string; hash?: string; saltLength?: number };
}

const edwards = (name: string): Scheme => ({
  members: ["kty", "crv", "x"],
  key: { name },
  signature: { name },
});
const elliptic = (namedCurve: string, hash: string): Scheme => ({
  members: ["kty", "crv", "x", "y"],
  key: { name: "ECDSA", namedCurve },
  signature: { name: "ECDSA", hash },
});
const rsa = (name: string, saltLength?: number): Scheme => ({
  members: ["kty", "n", "e"],
  key: { name, hash: "SHA-256" },
  signature: { name, ...(saltLength === undefined ? {} : { saltLength }) },
});

/** The algorithms that Latchkey can sign with. Symmetric ones and `none` are absent. */
const schemes: ReadonlyMap<string, Scheme> = new Map([
  ["EdDSA Ed25519", edwards("Ed25519")],
  ["EdDSA Ed448", edwards("Ed448")],
  ["ES256 P-256", elliptic("P-256", "SHA-256")],
  ["ES512 P-521", elliptic("P-521", "SHA-512")],
  ["RS256", rsa("RSASSA-PKCS1-v1_5")],
  ["PS256", rsa("RSA-PSS", 32)],
]);

const modulusLengthMin = 2_048;

const isWeak = ({ algorithm }: CryptoKey): boolean =>
  "modulusLength" in algorithm && Number(algorithm.modulusLength) < modulusLengthMin;

/** Imports a member of a JWKS. Returns undefined for a key of a kind that this package or this runtime does not support. */
export const importVerificationKey = async (
  jwk: Readonly<Record<string, unknown>>,
): Promise<VerificationKey | undefined> => {
  const { kid, alg, crv } = jwk;
  if (typeof kid !== "string" || typeof alg !== "string") return undefined;
  const scheme = schemes.get(typeof crv === "string" ? `${alg} ${crv}` : alg);
  if (!scheme) return undefined;
  const part = Object.fromEntries(scheme.members.map((name) => [name, jwk[name]]));
  try {
    const key = await crypto.subtle.importKey("jwk", part, scheme.key, false, ["verify"]);
    if (isWeak(key)) return undefined;
    return {
      kid,
      alg,
      verify: (signature, signed) => crypto.subtle.verify(scheme.signature, key, signature, signed),
    };
  } catch {
    return undefined;
  }
};
