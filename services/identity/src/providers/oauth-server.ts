import * as oauth from "oauth4webapi";
import { algorithmsOf, type Answer } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";
import type { Talk } from "./talk.ts";
import { readClaims } from "./token-answer.ts";

const issuerOf = ({ definition: { issuer, endpoints } }: Talk, answer: Answer): string => {
  if (typeof issuer === "string") return issuer;
  const idToken = answer["id_token"];
  const nobody = new URL(endpoints.token).origin; // a name is wanted, also where no token is looked at
  if (issuer === undefined || typeof idToken !== "string") return nobody;
  const named = issuer(readClaims(idToken) ?? {});
  if (named === undefined) throw new ProviderError("the id token is of an issuer that may not be");
  return named;
};

/** The provider as the protocol's library takes it; its issuer may depend on the id token of an answer. */
export const serverOf = (talk: Talk, answer: Answer = {}): oauth.AuthorizationServer => {
  const { endpoints } = talk.definition;
  return {
    issuer: issuerOf(talk, answer),
    token_endpoint: endpoints.token,
    id_token_signing_alg_values_supported: [...algorithmsOf(talk.definition)],
    ...(endpoints.revoke === undefined ? {} : { revocation_endpoint: endpoints.revoke }),
  };
};

/** The client as the library takes it, with our clock. */
export const clientOf = ({ provider, now }: Talk): oauth.Client => ({
  client_id: provider.clientIds[0],
  [oauth.clockSkew]: Math.round((now() - Date.now()) / 1000),
});

// Which addresses may be called, and how, is decided by the outbound client.
export const requestOptions = { [oauth.allowInsecureRequests]: true } as const;

/** The provider's own word for what went wrong, where there is one. */
export const asProviderError = (what: string, cause: unknown, { error }: Answer): ProviderError =>
  cause instanceof ProviderError ? cause : new ProviderError(what, { error, cause });
