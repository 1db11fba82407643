import { createHmac } from "node:crypto";

/** The start of a secret with which messages are signed. Base64 follows. */
export const messageSecretPrefix = "whsec_";

/** A message to sign. */
export interface SignedMessage {
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: string;
}

/**
 * Returns the value of `webhook-signature`, by the Standard Webhooks specification: one signature for each secret, separated by spaces. The
 * secrets begin with `messageSecretPrefix`.
 */
export const signMessage = (
  secrets: readonly string[],
  { id, timestamp, body }: SignedMessage,
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(messageSecretPrefix.length), "base64");
      const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
      return `v1,${mac.digest("base64")}`;
    })
    .join(" ");
