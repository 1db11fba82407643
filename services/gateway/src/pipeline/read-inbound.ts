import type { Operation } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit";
import type { FastifyRequest } from "fastify";
import { canonicalAddress } from "../address/canonical-address.ts";
import { createClientAddressReader } from "../address/client-address.ts";
import { compileTrustedProxies } from "../address/trusted-proxies.ts";
import type { GatewayConfig } from "../config.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { stripBasePath } from "../paths/operation-path.ts";
import { type BaseUrl, createBaseUrlReader } from "./base-url.ts";
import { createOperationMatcher } from "./match-operation.ts";

/** What is known of a request once it has been read. */
export interface Inbound {
  request: FastifyRequest;
  /** Canonical, below the base path; undefined where nothing can be. */
  path: string | undefined;
  /** The query as it was sent, with its `?`, or empty. */
  search: string;
  baseUrl: BaseUrl;
  /** Canonical; undefined when unknown. */
  address: string | undefined;
  operation: Operation | undefined;
}

/** A header's value; repeated ones joined as HTTP joins them. */
export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
};

/** How to read a request: base URL, client address, path and operation. */
export const createInboundReader = (
  config: GatewayConfig,
): ((request: FastifyRequest) => Inbound) => {
  const basePath = basePathOf(config);
  const readBaseUrl = createBaseUrlReader(config);
  const isTrustedProxy = compileTrustedProxies(config.trustedProxies);
  const readAddress = createClientAddressReader({
    isTrustedProxy,
    headers: config.advanced.ipAddress.ipAddressHeaders,
  });
  const match = createOperationMatcher(config.features);
  return (request) => {
    const url = request.raw.url ?? "";
    const mark = url.indexOf("?");
    const canonical = canonicalPath(mark < 0 ? url : url.slice(0, mark));
    const path = canonical === undefined ? undefined : stripBasePath(canonical, basePath);
    const peer = request.socket.remoteAddress;
    const peerIsProxy = isTrustedProxy?.(canonicalAddress(peer ?? "") ?? "") ?? false;
    return {
      request,
      path,
      search: mark < 0 ? "" : url.slice(mark),
      baseUrl: readBaseUrl(request, peerIsProxy),
      address: readAddress(peer, (name) => headerOf(request, name)),
      operation: path === undefined ? undefined : match(request.method, path),
    };
  };
};
