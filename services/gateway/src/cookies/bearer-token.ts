import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import type { GatewayConfig } from "../config.ts";

/** Longer than any of our tokens, signed or not. A longer one would exceed the limits of the services. */
const tokenLengthMax = 1_024;

const scheme = /^bearer(?: +|$)/i;

/**
 * Returns the session token of an Authorization header. It is signed, as in `set-auth-token`, or raw if the options allow that. Any other
 * scheme and any invalid signature is ignored, as if there were no header.
 */
export const readBearerToken = (
  ring: SecretRing,
  options: GatewayConfig["bearer"],
  authorization: string | undefined,
): string | undefined => {
  if (!options.enabled || authorization === undefined) return undefined;
  const value = authorization.replace(scheme, "").trim();
  if (value === "" || value.length > tokenLengthMax || /\s/.test(value)) return undefined;
  if (value.includes(".")) return verifySignedValue(ring, value);
  return options.requireSignature ? undefined : value;
};
