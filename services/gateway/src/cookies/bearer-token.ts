import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import type { GatewayConfig } from "../config.ts";

/** Longer than any token of ours, signed or not; a longer one would not fit what services take. */
const tokenLengthMax = 1_024;

const scheme = /^bearer(?: +|$)/i;

/**
 * The session token of an Authorization header: signed, as `set-auth-token` gives it, or raw where the options allow
 * it. Any other scheme and any bad signature is ignored, as if no header had come.
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
