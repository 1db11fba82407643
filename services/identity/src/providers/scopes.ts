import type { ProviderDefinition } from "./provider.ts";
import type { ProviderClient } from "./provider-client.ts";

/** Returns the scopes to request: default, configured and requested ones, each once. */
export const scopesOf = (
  { definition, provider: { options } }: ProviderClient,
  requested: readonly string[] = [],
): string[] => {
  const byDefault = options.disableDefaultScope ? [] : definition.scopes;
  const further = definition.requestedScopesFirst
    ? [...requested, ...options.scope]
    : [...options.scope, ...requested];
  return [...new Set([...byDefault, ...further])];
};

/** Returns whether the id token is expected to contain the request's nonce. */
export const expectsNonce = (definition: ProviderDefinition, scopes: readonly string[]): boolean =>
  definition.issuer !== undefined &&
  (definition.nonce === "always" || (definition.nonce === true && scopes.includes("openid")));
