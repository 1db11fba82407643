import type { EndpointName } from "@latchkey/contracts";
import type { Outbound } from "@latchkey/service-kit";
import * as oauth from "oauth4webapi";
import { ProviderError } from "./provider-error.ts";

const wellKnown = "/.well-known/openid-configuration";

/** What the endpoints of a provider are called in its metadata. */
export const metadataNames = {
  authorization: "authorization_endpoint",
  token: "token_endpoint",
  userInfo: "userinfo_endpoint",
  jwks: "jwks_uri",
  revoke: "revocation_endpoint",
} as const satisfies Partial<Record<EndpointName, string>>;

/**
 * What a provider names of itself is https; plain http is for one on a host of ours, and there for nobody but itself. So
 * none can send the browser to a script, nor us to a plain address that another provider is at. Nor to a private host,
 * but for one that is at such a host itself: it was let in for another.
 */
const checkAddress = (outbound: Outbound, address: unknown, from: URL): void => {
  const url = typeof address === "string" ? URL.parse(address) : null;
  const isGood =
    url?.protocol === "https:"
      ? outbound.isPrivate(from) || !outbound.isPrivate(url)
      : url?.protocol === "http:" && url.origin === from.origin;
  if (!isGood) throw new ProviderError("the provider's metadata names an address that may not be");
};

/** Where an OpenID provider tells of itself, and who it must say that it is. */
export interface DiscoveryTarget {
  issuer?: string | undefined;
  discoveryUrl?: string | undefined;
  /** Those that are not taken from the metadata. */
  endpoints: Partial<Record<EndpointName, string | undefined>>;
}

/** What an OpenID provider publishes of itself (OpenID Connect Discovery 1.0). Rejects with a `ProviderError`. */
export const discover = async (
  outbound: Outbound,
  { issuer, discoveryUrl, endpoints }: DiscoveryTarget,
): Promise<oauth.AuthorizationServer> => {
  const from = new URL(discoveryUrl ?? issuer ?? "");
  const expected = new URL(issuer ?? discoveryUrl?.replace(wellKnown, "") ?? "");
  try {
    const response = await oauth.discoveryRequest(expected, {
      algorithm: "oidc",
      [oauth.allowInsecureRequests]: true, // what may be called is decided by the outbound client
      [oauth.customFetch]: (url: string) => outbound.fetch(discoveryUrl ?? url),
    });
    const metadata = await oauth.processDiscoveryResponse(expected, response);
    for (const [name, inMetadata] of Object.entries(metadataNames)) {
      const isStated = endpoints[name as EndpointName] !== undefined;
      const address = metadata[inMetadata];
      if (!isStated && address !== undefined) checkAddress(outbound, address, from);
    }
    return metadata;
  } catch (cause) {
    throw new ProviderError("the provider cannot be discovered", { cause });
  }
};
