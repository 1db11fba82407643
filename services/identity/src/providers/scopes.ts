import type { ProviderDefinition } from "./provider.ts";
import type { Talk } from "./talk.ts";

/** The scopes to be asked for: default, configured and requested ones, each once. */
export const scopesOf = (
  { definition, provider: { options } }: Talk,
  requested: readonly string[] = [],
): string[] => {
  const byDefault = options.disableDefaultScope ? [] : definition.scopes;
  const further = definition.requestedScopesFirst
    ? [...requested, ...options.scope]
    : [...options.scope, ...requested];
  return [...new Set([...byDefault, ...further])];
};

/** Whether an id token with the nonce of the request is to be expected. */
export const expectsNonce = (definition: ProviderDefinition, scopes: readonly string[]): boolean =>
  definition.issuer !== undefined &&
  (definition.nonce === "always" || (definition.nonce === true && scopes.includes("openid")));
