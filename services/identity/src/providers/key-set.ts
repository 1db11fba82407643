import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import type { Talk } from "./talk.ts";

/**
 * The keys that the provider publishes, fetched when a token names one that is not known; undefined where it publishes
 * none. They outlive the conversation.
 */
export const keySetOf = ({ definition, provider, outbound }: Talk): JWTVerifyGetKey | undefined => {
  const { jwks } = definition.endpoints;
  if (jwks === undefined) return undefined;
  const { keys } = provider;
  if (keys.set && keys.url === jwks) return keys.set;
  const set = createRemoteJWKSet(new URL(jwks), {
    [customFetch]: (url, { headers, signal }) => outbound.fetch(url, { headers, signal }),
  });
  Object.assign(keys, { url: jwks, set });
  return set;
};
