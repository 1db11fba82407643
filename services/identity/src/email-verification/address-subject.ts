import { hmacSha256, type SecretRing } from "@latchkey/crypto";

/** Names an address in the audit. Entries outlive users, so it is keyed: nobody confirms an address by hashing it. */
export const addressSubject = (
  ring: SecretRing,
  email: string,
): { kind: "address"; id: string } => ({
  kind: "address",
  id: hmacSha256(ring.derive("audited address")[0], email, "base64url"),
});
