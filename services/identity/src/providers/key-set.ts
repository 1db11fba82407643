import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import type { Talk } from "./talk.ts";

const sharedSetOf = ({ provider: { keys }, outbound }: Talk, jwks: string): JWTVerifyGetKey => {
  if (keys.set && keys.url === jwks) return keys.set;
  const set = createRemoteJWKSet(new URL(jwks), {
    [customFetch]: (url, { headers, signal }) => outbound.fetch(url, { headers, signal }),
  });
  Object.assign(keys, { url: jwks, set });
  return set;
};

/**
 * The keys that the provider publishes, fetched when a token names one that is not known; undefined where it publishes
 * none. They outlive the conversation, in which nobody waits for them longer than it lasts.
 */
export const keySetOf = (talk: Talk): JWTVerifyGetKey | undefined => {
  const { jwks } = talk.definition.endpoints;
  if (jwks === undefined) return undefined;
  const set = sharedSetOf(talk, jwks);
  return (header, token) => talk.within(set(header, token));
};
