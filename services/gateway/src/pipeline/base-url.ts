import { WireError } from "@latchkey/contracts";
import type { FastifyRequest } from "fastify";
import { basePathOf } from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";

/** Where clients reach us: `origin` without a path, `url` with the base path. */
export interface BaseUrl {
  origin: string;
  url: string;
}

type Config = Pick<GatewayConfig, "baseURL" | "basePath" | "production" | "trustedHosts">;

const hostPattern = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();

const hostOf = (request: FastifyRequest, peerIsProxy: boolean): [string, string | undefined] => {
  const forwarded = peerIsProxy ? first(request.headers["x-forwarded-host"]) : undefined;
  const scheme = peerIsProxy ? first(request.headers["x-forwarded-proto"]) : undefined;
  return forwarded && scheme ? [scheme, forwarded] : ["http", request.headers.host];
};

/**
 * How to read the base URL of a request: the configured one, or the request's own host, which in production must be one
 * that is trusted, since mails would carry whatever host a stranger wrote.
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
  return (request, peerIsProxy) => {
    const [scheme, host] = hostOf(request, peerIsProxy);
    const isKnown = host !== undefined && (!config.production || trusted.has(host.toLowerCase()));
    if (!isKnown || !hostPattern.test(host) || !/^https?$/.test(scheme))
      throw new WireError("BASE_URL_UNKNOWN");
    const origin = `${scheme}://${host.toLowerCase()}`;
    return { origin, url: `${origin}${basePath}` };
  };
};
