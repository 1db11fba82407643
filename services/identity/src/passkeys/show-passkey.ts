import type { Passkey } from "@latchkey/contracts";
import type { PasskeyRow } from "./queries.ts";

/** Returns a passkey as its user sees it. */
export const showPasskey = ({
  publicKey,
  credentialId,
  userVerified: _verified,
  hasUserHandle: _handle,
  ...passkey
}: PasskeyRow): Passkey => ({
  ...passkey,
  publicKey: publicKey.toString("base64"),
  credentialID: credentialId.toString("base64url"),
});

/** Returns the descriptor by which an authenticator recognizes a passkey. */
export const describeCredential = ({
  credentialId,
  transports,
}: Pick<PasskeyRow, "credentialId" | "transports">) => ({
  id: credentialId.toString("base64url"),
  type: "public-key" as const,
  ...(transports ? { transports: transports.split(",") } : {}),
});
