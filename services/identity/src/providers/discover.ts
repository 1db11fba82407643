import type { EndpointName } from "@latchkey/contracts";
import type { Outbound } from "@latchkey/service-kit/http";
import * as oauth from "oauth4webapi";
import { metadataNames } from "./metadata-names.ts";
import { ProviderError } from "./provider-client.ts";

const wellKnown = "/.well-known/openid-configuration";

/**
 * Checks an address from a provider's metadata. It must be https. Plain http is allowed only if the provider itself is on
 * http, and then only on its own origin. A private host is allowed only if the provider itself is on a private host.
 *
 * Metadata thus cannot send the browser to a `javascript:` URL, nor make this service call private hosts that were
 * allowed for another provider.
 */
const checkAddress = (outbound: Outbound, address: unknown, from: URL): void => {
  const url = typeof address === "string" ? URL.parse(address) : null;
  const isGood =
    url?.protocol === "https:"
      ? outbound.isPrivate(from) || !outbound.isPrivate(url)
      : url?.protocol === "http:" && url.origin === from.origin;
  if (!isGood)
    throw new ProviderError("the provider's metadata names an address that is not allowed");
};

/** The address of an OpenID provider's metadata, and the issuer that it must name. */
export interface DiscoveryTarget {
  issuer?: string | undefined;
  discoveryUrl?: string | undefined;
  /** Endpoints that are not taken from the metadata. */
  endpoints: Partial<Record<EndpointName, string | undefined>>;
}

/** Fetches the metadata of an OpenID provider (OpenID Connect Discovery 1.0). Rejects with a `ProviderError`. */
export const discover = async (
  outbound: Outbound,
  { issuer, discoveryUrl, endpoints }: DiscoveryTarget,
): Promise<oauth.AuthorizationServer> => {
  const from = new URL(discoveryUrl ?? issuer ?? "");
  const expected = new URL(issuer ?? discoveryUrl?.replace(wellKnown, "") ?? "");
  try {
    const response = await oauth.discoveryRequest(expected, {
      algorithm: "oidc",
      [oauth.allowInsecureRequests]: true, // the outbound client decides which addresses are allowed
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
    throw new ProviderError("failed to discover the provider", { cause });
  }
};
