import type { ProviderDefinition } from "../providers/provider.ts";

/**
 * Returns whether the issuer in a callback is the provider to which the browser was sent (RFC 9207). Otherwise the code
 * must not be sent to any token endpoint. A missing issuer is accepted only if the provider does not promise to send one.
 */
export const isIssuerGood = (
  { issuer, namesIssuer }: Pick<ProviderDefinition, "issuer" | "namesIssuer">,
  named: string | undefined,
): boolean => {
  if (typeof issuer !== "string") return true;
  return named === undefined ? !namesIssuer : named === issuer;
};
