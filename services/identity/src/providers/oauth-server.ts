import * as oauth from "oauth4webapi";
import { algorithmsOf } from "./provider.ts";
import type { Answer } from "./provider-call.ts";
import { ProviderError, type ProviderClient } from "./provider-client.ts";
import { readClaims } from "./token-answer.ts";

const issuerOf = (
  { definition: { issuer, endpoints } }: ProviderClient,
  answer: Answer,
): string => {
  if (typeof issuer === "string") return issuer;
  const idToken = answer["id_token"];
  const nobody = new URL(endpoints.token).origin; // the library requires an issuer, even if no token is checked
  if (issuer === undefined || typeof idToken !== "string") return nobody;
  const named = issuer(readClaims(idToken) ?? {});
  if (named === undefined) throw new ProviderError("the id token's issuer is not allowed");
  return named;
};

/** Returns the provider in the library's form. Its issuer may depend on the id token of a response. */
export const serverOf = (
  client: ProviderClient,
  answer: Answer = {},
): oauth.AuthorizationServer => {
  const { endpoints } = client.definition;
  return {
    issuer: issuerOf(client, answer),
    token_endpoint: endpoints.token,
    id_token_signing_alg_values_supported: [...algorithmsOf(client.definition)],
    ...(endpoints.revoke === undefined ? {} : { revocation_endpoint: endpoints.revoke }),
  };
};

/** Returns the client in the library's form, with our clock. */
export const clientOf = ({ provider, now }: ProviderClient): oauth.Client => ({
  client_id: provider.clientIds[0],
  [oauth.clockSkew]: Math.round((now() - Date.now()) / 1000),
});

// The outbound client decides which addresses are allowed.
export const requestOptions = { [oauth.allowInsecureRequests]: true } as const;
