import { type Operation, operations } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit/config";
import type { FastifyRequest } from "fastify";
import { createClientAddressReader } from "../address/client-address.ts";
import { compileTrustedProxies, isProxyPeer } from "../address/trusted-proxies.ts";
import type { GatewayConfig } from "../config.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { stripBasePath } from "../paths/operation-path.ts";
import { type BaseUrl, createBaseUrlReader } from "../origins/base-url.ts";
import { createOperationMatcher, type OperationMatcher } from "../paths/match-operation.ts";

/** The properties of a request that the pipeline reads first. */
export interface Inbound {
  request: FastifyRequest;
  /** Canonical, below the base path. Undefined if no operation can have it. */
  path: string | undefined;
  /** The query as it was sent, with its `?`, or empty. */
  search: string;
  baseUrl: BaseUrl;
  /** Canonical. Undefined if unknown. */
  address: string | undefined;
  operation: Operation | undefined;
}

/** Returns a header's value. Repeated headers are joined as HTTP joins them. */
export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
};

/** Creates a reader of a request's base URL, client address, path and operation. */
export const createInboundReader = (
  config: GatewayConfig,
): ((request: FastifyRequest) => Inbound) & { match: OperationMatcher } => {
  const basePath = basePathOf(config);
  const readBaseUrl = createBaseUrlReader(config);
  const isTrustedProxy = compileTrustedProxies(config.trustedProxies);
  const readAddress = createClientAddressReader({
    isTrustedProxy,
    headers: config.advanced.ipAddress.ipAddressHeaders,
  });
  const match = createOperationMatcher(config.features);
  /** The spellings of the metadata's path that begin at the origin (RFC 8414 section 3). */
  const metadataPaths = new Set(
    ["oauth-authorization-server", "openid-configuration"].map(
      (name) => `/.well-known/${name}${basePath}`,
    ),
  );
  const readInbound = (request: FastifyRequest): Inbound => {
    const url = request.raw.url ?? "";
    const mark = url.indexOf("?");
    const canonical = canonicalPath(mark < 0 ? url : url.slice(0, mark));
    const path =
      canonical === undefined
        ? undefined
        : metadataPaths.has(canonical)
          ? operations.oauth.oauthMetadata.path
          : stripBasePath(canonical, basePath);
    const peer = request.socket.remoteAddress;
    return {
      request,
      path,
      search: mark < 0 ? "" : url.slice(mark),
      baseUrl: readBaseUrl(request, isProxyPeer(isTrustedProxy, request.socket)),
      address: readAddress(peer, (name) => headerOf(request, name)),
      operation: path === undefined ? undefined : match(request.method, path),
    };
  };
  return Object.assign(readInbound, { match });
};
