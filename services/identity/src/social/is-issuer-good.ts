import type { ProviderDefinition } from "../providers/provider.ts";

/**
 * Whether the issuer that an answer names is the provider that the browser was sent to (RFC 9207): of another's answer no
 * code may be sent anywhere. One that says that it always names itself must.
 */
export const isIssuerGood = (
  { issuer, namesIssuer }: Pick<ProviderDefinition, "issuer" | "namesIssuer">,
  named: string | undefined,
): boolean => {
  if (typeof issuer !== "string") return true;
  return named === undefined ? !namesIssuer : named === issuer;
};
