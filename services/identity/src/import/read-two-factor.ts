import { decodeBase32, isLegacySealed, openLegacyValue, type SecretRing } from "@latchkey/crypto";

const base32Prefix = "base32:";

/**
 * Returns the secret of an imported app: the bytes of its text, or decoded ones after `base32:`. Returns undefined if another secret
 * has sealed it.
 */
export const readAppSecret = (ring: SecretRing, stored: string): Buffer | undefined => {
  const text = openLegacyValue(ring, stored);
  if (!text) return undefined;
  if (!text.startsWith(base32Prefix)) return Buffer.from(text);
  const bytes = decodeBase32(text.slice(base32Prefix.length));
  return bytes && bytes.length > 0 ? Buffer.from(bytes) : undefined;
};

/** Returns the backup codes of an imported app, which may be stored in clear text. Returns undefined if they cannot be read. */
export const readBackupCodes = (ring: SecretRing, stored: string): string[] | undefined => {
  const text = isLegacySealed(stored) ? openLegacyValue(ring, stored) : stored;
  if (text === undefined) return undefined;
  try {
    const codes = JSON.parse(text) as unknown;
    if (!Array.isArray(codes) || !codes.every((code) => typeof code === "string")) return undefined;
    return [...new Set(codes)].filter((code) => code !== "");
  } catch {
    return undefined;
  }
};
