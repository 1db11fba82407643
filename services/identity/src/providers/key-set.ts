import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import type { ProviderClient } from "./provider-client.ts";

const sharedSetOf = (
  { provider: { keys }, outbound }: ProviderClient,
  jwks: string,
): JWTVerifyGetKey => {
  if (keys.set && keys.url === jwks) return keys.set;
  const set = createRemoteJWKSet(new URL(jwks), {
    [customFetch]: (url, { headers, signal }) => outbound.fetch(url, { headers, signal }),
  });
  Object.assign(keys, { url: jwks, set });
  return set;
};

/**
 * Returns the provider's published keys, or undefined if it publishes none. Fetches them when a token names an unknown
 * key. The key set outlives the provider client, but no call waits for it beyond the client's deadline.
 */
export const keySetOf = (client: ProviderClient): JWTVerifyGetKey | undefined => {
  const { jwks } = client.definition.endpoints;
  if (jwks === undefined) return undefined;
  const set = sharedSetOf(client, jwks);
  return (header, token) => client.within(set(header, token));
};
