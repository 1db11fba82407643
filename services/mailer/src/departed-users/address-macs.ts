import { hmacSha256, type SecretRing } from "@latchkey/crypto";

/** Returns the MACs of an address, one per secret, which identify it without revealing it. Store the first one. */
export const addressMacs = (ring: SecretRing, email: string): [string, ...string[]] => {
  const address = email.toLowerCase();
  const [current, ...older] = ring.derive("departed address");
  const macOf = (key: typeof current) => hmacSha256(key, address, "base64url");
  return [macOf(current), ...older.map(macOf)];
};
