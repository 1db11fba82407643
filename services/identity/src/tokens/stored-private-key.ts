import { type Jwk, openLegacyKey, seal, type SecretRing, unseal } from "@latchkey/crypto";

const purpose = "signing key";

/** A private key as its row keeps it: sealed, or in clear where the options say so. */
export const storePrivateKey = (
  ring: SecretRing,
  privateJwk: Jwk,
  { disablePrivateKeyEncryption }: { disablePrivateKeyEncryption: boolean },
): string => {
  const text = JSON.stringify(privateJwk);
  return disablePrivateKeyEncryption ? text : seal(ring, purpose, text);
};

/**
 * The private key in a row, whatever the options say now: in clear, sealed by us, or sealed as the databases have it that
 * are taken over. Undefined when it is of another secret or no key at all.
 */
export const openPrivateKey = (ring: SecretRing, stored: string): Jwk | undefined => {
  const text = stored.startsWith("{")
    ? stored
    : (unseal(ring, purpose, stored) ?? openLegacyKey(ring, stored));
  return text === undefined ? undefined : parseJwk(text);
};

/** A JWK from its JSON; undefined for any other text. */
export const parseJwk = (text: string): Jwk | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value // what it holds is checked by who uses it
      : undefined;
  } catch {
    return undefined;
  }
};
