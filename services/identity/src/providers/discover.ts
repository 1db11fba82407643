import type { Outbound } from "@latchkey/service-kit";
import * as oauth from "oauth4webapi";
import { ProviderError } from "./provider-error.ts";

const wellKnown = "/.well-known/openid-configuration";

const endpointNames = [
  "authorization_endpoint",
  "token_endpoint",
  "userinfo_endpoint",
  "jwks_uri",
  "revocation_endpoint",
] as const;

/**
 * What a provider names of itself is https; plain http is for one on a host of ours, and there for nobody but itself. So
 * none can send the browser to a script, nor us to a plain address that another provider is at.
 */
const checkAddress = (address: unknown, origin: string): void => {
  if (address === undefined) return;
  const url = typeof address === "string" ? URL.parse(address) : null;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && url.origin === origin)) return;
  throw new ProviderError("the provider's metadata names an address that may not be");
};

/** Where an OpenID provider tells of itself, and who it must say that it is. */
export interface DiscoveryTarget {
  issuer?: string | undefined;
  discoveryUrl?: string | undefined;
}

/** What an OpenID provider publishes of itself (OpenID Connect Discovery 1.0). Rejects with a `ProviderError`. */
export const discover = async (
  outbound: Outbound,
  { issuer, discoveryUrl }: DiscoveryTarget,
): Promise<oauth.AuthorizationServer> => {
  const { origin } = new URL(discoveryUrl ?? issuer ?? "");
  const expected = new URL(issuer ?? discoveryUrl?.replace(wellKnown, "") ?? "");
  try {
    const response = await oauth.discoveryRequest(expected, {
      algorithm: "oidc",
      [oauth.allowInsecureRequests]: true, // what may be called is decided by the outbound client
      [oauth.customFetch]: (url: string) => outbound.fetch(discoveryUrl ?? url),
    });
    const metadata = await oauth.processDiscoveryResponse(expected, response);
    for (const name of endpointNames) checkAddress(metadata[name], origin);
    return metadata;
  } catch (cause) {
    throw new ProviderError("the provider cannot be discovered", { cause });
  }
};
