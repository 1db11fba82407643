import { type Jwk, openLegacyKey, seal, type SecretRing, unseal } from "@latchkey/crypto";

const purpose = "signing key";

/** Returns the stored form of a private key: sealed, or in clear text if the options say so. */
export const storePrivateKey = (
  ring: SecretRing,
  privateJwk: Jwk,
  { disablePrivateKeyEncryption }: { disablePrivateKeyEncryption: boolean },
): string => {
  const text = JSON.stringify(privateJwk);
  return disablePrivateKeyEncryption ? text : seal(ring, purpose, text);
};

/**
 * Returns the private key in a row, independent of the present options: in clear text, sealed by this service, or sealed
 * by the database from which it was imported. Returns undefined if it needs another secret or is not a key.
 */
export const openPrivateKey = (ring: SecretRing, stored: string): Jwk | undefined => {
  const text = stored.startsWith("{")
    ? stored
    : (unseal(ring, purpose, stored) ?? openLegacyKey(ring, stored));
  return text === undefined ? undefined : parseJwk(text);
};

/** Parses the JSON of a JWK. Returns undefined for any other text. */
export const parseJwk = (text: string): Jwk | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value // callers check its members
      : undefined;
  } catch {
    return undefined;
  }
};
