import { hashToken, seal, type SecretRing, unseal } from "@latchkey/crypto";
import type { StoredSession } from "./store/session-store.ts";

/** The purpose under which the hash of a session's token is sealed into a handle. */
const handlePurpose = "session handle";

/**
 * Returns a handle for revoking a session. A handle cannot be used to sign in, because the token cannot be derived from
 * it.
 */
export const sessionHandle = (
  ring: SecretRing,
  { tokenHash }: Pick<StoredSession, "tokenHash">,
): string => seal(ring, handlePurpose, tokenHash.toString("base64url"));

/** Returns the token hash in a handle, or the hash of the text itself if it is not a handle. */
export const namedTokenHash = (ring: SecretRing, text: string): Buffer => {
  const hash = unseal(ring, handlePurpose, text);
  return hash === undefined ? hashToken(text) : Buffer.from(hash, "base64url");
};
