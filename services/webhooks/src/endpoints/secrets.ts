import { randomBytes } from "node:crypto";
import { messageSecretPrefix, seal, type SecretRing, unseal } from "@latchkey/crypto";

const secretBytes = 32;
const purposeOf = (endpointId: string) =>
  ({ purpose: "webhook secret", subject: endpointId }) as const;

/** Returns a new secret in the form of the Standard Webhooks specification. */
export const newSecret = (): string =>
  messageSecretPrefix + randomBytes(secretBytes).toString("base64");

/** Encrypts a secret so that only the row of its endpoint opens it. */
export const sealSecret = (ring: SecretRing, endpointId: string, secret: string): string =>
  seal(ring, purposeOf(endpointId), secret);

export const openSecret = (
  ring: SecretRing,
  endpointId: string,
  sealed: string,
): string | undefined => unseal(ring, purposeOf(endpointId), sealed);
