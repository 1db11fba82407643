import {
  constants,
  createPrivateKey,
  generateKeyPair,
  type KeyObject,
  sign,
  type SigningOptions,
  type webcrypto,
} from "node:crypto";
import { promisify } from "node:util";

/** A JSON Web Key (RFC 7517). */
export type Jwk = webcrypto.JsonWebKey;

/** A JWS algorithm with its parameters: the curve of EdDSA, the bits of an RSA modulus. */
export type KeyPairAlgorithm =
  | { readonly alg: "EdDSA"; readonly crv: "Ed25519" | "Ed448" }
  | { readonly alg: "ES256" | "ES512" }
  | { readonly alg: "RS256" | "PS256"; readonly modulusLength: number };

/** Both halves of a key, the private one in plain text. */
export interface JwkPair {
  readonly publicJwk: Jwk;
  readonly privateJwk: Jwk;
}

/** A private key ready for use. */
export interface TokenSigner {
  readonly kid: string;
  /**
   * Returns a compact JWS (RFC 7515) of the payload as JSON. Its header is exactly `alg` and `kid`. Synchronous, because an elliptic-curve
   * signature takes less time than a round trip through the thread pool, where it would also wait behind password hashes.
   */
  sign(payload: object): string;
}

interface Scheme {
  readonly digest: "sha256" | "sha512" | null;
  readonly fits: (key: KeyObject) => boolean;
  readonly options?: SigningOptions;
}

const modulusLengthMin = 2048;

const isEdwards = ({ asymmetricKeyType: type }: KeyObject) =>
  type === "ed25519" || type === "ed448";
const isRsa = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
  asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= modulusLengthMin;
const isOnCurve = (name: string) => (key: KeyObject) =>
  key.asymmetricKeyDetails?.namedCurve === name;

/** JWS concatenates the two numbers of an ECDSA signature instead of using DER (RFC 7518 section 3.4). */
const sideBySide: SigningOptions = { dsaEncoding: "ieee-p1363" };
const probabilistic: SigningOptions = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
};

const schemes: ReadonlyMap<string, Scheme> = new Map<string, Scheme>([
  ["EdDSA", { digest: null, fits: isEdwards }],
  ["ES256", { digest: "sha256", fits: isOnCurve("prime256v1"), options: sideBySide }],
  ["ES512", { digest: "sha512", fits: isOnCurve("secp521r1"), options: sideBySide }],
  ["RS256", { digest: "sha256", fits: isRsa }],
  ["PS256", { digest: "sha256", fits: isRsa, options: probabilistic }],
]);

const generate = promisify(generateKeyPair);

function generateFor(algorithm: KeyPairAlgorithm) {
  if (algorithm.alg === "EdDSA")
    return algorithm.crv === "Ed448" ? generate("ed448") : generate("ed25519");
  if (algorithm.alg === "RS256" || algorithm.alg === "PS256") {
    const { modulusLength } = algorithm;
    if (modulusLength >= modulusLengthMin) return generate("rsa", { modulusLength });
    throw new TypeError(`an RSA modulus must have at least ${modulusLengthMin} bits`);
  }
  return generate("ec", { namedCurve: algorithm.alg === "ES256" ? "P-256" : "P-521" });
}

/** Creates a key pair. Throws `TypeError` for an RSA modulus below 2048 bits. */
export async function generateJwkPair(algorithm: KeyPairAlgorithm): Promise<JwkPair> {
  const { publicKey, privateKey } = await generateFor(algorithm);
  return {
    publicJwk: publicKey.export({ format: "jwk" }),
    privateJwk: privateKey.export({ format: "jwk" }),
  };
}

/** Picks the public members of a JWK (RFC 7518 section 6, RFC 8037 section 2). */
export function toPublicJwk({ kty, crv, x, y, n, e }: Jwk): Jwk {
  const members = Object.entries({ kty, crv, x, y, n, e });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Creates a signer. Throws `TypeError` if the private JWK is invalid or does not fit the algorithm. */
export function createTokenSigner(
  { kid, alg }: { kid: string; alg: string },
  privateJwk: Jwk,
): TokenSigner {
  const scheme = schemes.get(alg);
  const key = importPrivateJwk(privateJwk);
  if (!scheme?.fits(key)) throw new TypeError(`the private key does not fit ${alg}`);
  const input = { key, ...scheme.options };
  const start = `${encodeJson({ alg, kid })}.`;
  return {
    kid,
    sign: (payload) => {
      const signed = start + encodeJson(payload);
      return `${signed}.${sign(scheme.digest, Buffer.from(signed), input).toString("base64url")}`;
    },
  };
}

function importPrivateJwk(privateJwk: Jwk): KeyObject {
  try {
    return createPrivateKey({ key: privateJwk, format: "jwk" });
  } catch {
    throw new TypeError("not a private JWK"); // Node's error may quote the key
  }
}

function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
