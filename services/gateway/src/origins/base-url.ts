import { WireError } from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import { basePathOf } from "@latchkey/service-kit/config";
import type { GatewayConfig } from "../config.ts";

/** The base URL under which clients reach us: `origin` without a path, `url` with the base path. */
export interface BaseUrl {
  origin: string;
  url: string;
}

type Config = Pick<GatewayConfig, "baseURL" | "basePath" | "production" | "trustedHosts">;

const hostPattern = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A host name of the longest kind that DNS allows, with a port. A longer one would exceed the limits of internal requests. */
const hostLengthMax = 253 + ":65535".length;

const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();

/** Returns the scheme that the client used, as a trusted proxy reports it. Others are ignored, because any client can send the header. */
export const forwardedScheme = ({ headers }: FastifyRequest, peerIsProxy: boolean): string =>
  (peerIsProxy && first(headers["x-forwarded-proto"])?.toLowerCase()) || "http";

const forwardedHost = ({ headers }: FastifyRequest, peerIsProxy: boolean): string | undefined =>
  (peerIsProxy && first(headers["x-forwarded-host"])) || headers.host;

/**
 * Creates a reader of a request's base URL: the configured one, or the request's own host. In production the host must be trusted, because
 * mails would otherwise contain any host that a stranger sent.
 */
export const createBaseUrlReader = (
  config: Config,
): ((request: FastifyRequest, peerIsProxy: boolean) => BaseUrl) => {
  const basePath = basePathOf(config);
  if (config.baseURL) {
    const { origin } = new URL(config.baseURL);
    const fixed = { origin, url: `${origin}${basePath}` };
    return () => fixed;
  }
  const trusted = new Set(config.trustedHosts.map((host) => host.toLowerCase()));
  /** Most clients of a process use one host. */
  let last: { scheme: string; host: string; baseUrl: BaseUrl } | undefined;
  return (request, peerIsProxy) => {
    const scheme = forwardedScheme(request, peerIsProxy);
    const host = forwardedHost(request, peerIsProxy);
    if (last !== undefined && host === last.host && scheme === last.scheme) return last.baseUrl;
    const isKnown = host !== undefined && (!config.production || trusted.has(host.toLowerCase()));
    if (
      !isKnown ||
      host.length > hostLengthMax ||
      !hostPattern.test(host) ||
      !/^https?$/.test(scheme)
    )
      throw new WireError("BASE_URL_UNKNOWN");
    const origin = `${scheme}://${host.toLowerCase()}`;
    const baseUrl = { origin, url: `${origin}${basePath}` };
    last = { scheme, host, baseUrl };
    return baseUrl;
  };
};
