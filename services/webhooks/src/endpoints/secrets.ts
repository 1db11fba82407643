import { createHmac, randomBytes } from "node:crypto";
import { seal, type SecretRing, unseal } from "@latchkey/crypto";

const prefix = "whsec_";
const secretBytes = 32;
const purposeOf = (endpointId: string) =>
  ({ purpose: "webhook secret", subject: endpointId }) as const;

/** Returns a new secret in the form of the Standard Webhooks specification. */
export const newSecret = (): string => prefix + randomBytes(secretBytes).toString("base64");

/** Encrypts a secret so that only the row of its endpoint opens it. */
export const sealSecret = (ring: SecretRing, endpointId: string, secret: string): string =>
  seal(ring, purposeOf(endpointId), secret);

export const openSecret = (
  ring: SecretRing,
  endpointId: string,
  sealed: string,
): string | undefined => unseal(ring, purposeOf(endpointId), sealed);

/** A message to sign. */
export interface Signed {
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: string;
}

/** Returns the value of `webhook-signature`: one signature for each secret, separated by spaces. */
export const signMessage = (secrets: readonly string[], { id, timestamp, body }: Signed): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64");
      const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
      return `v1,${mac.digest("base64")}`;
    })
    .join(" ");
