import { hmacSha256 } from "./hmac-sha256.ts";
import type { SecretRing } from "./secret-ring.ts";

const nameLength = 16;

/**
 * Returns a name of the current secret that reveals nothing about it. Rows keep the name of the secret that sealed them, so that those of
 * an earlier secret can be found and sealed again.
 */
export function secretName(ring: SecretRing): string {
  const [key] = ring.derive("secret name");
  return hmacSha256(key, "", "base64url").slice(0, nameLength);
}
