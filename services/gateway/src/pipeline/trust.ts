import type { FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { compileTrustedOrigins } from "../origins/trusted-origin.ts";

type IsTrusted = (value: string) => boolean;

/** What a request may be sent from and send on to. */
export interface Trust {
  /** The configured origins and our own. */
  isTrusted: IsTrusted;
  /** The configured ones only: those that CORS speaks to. */
  isForeignTrusted: IsTrusted;
  /** What says so: our own origin, and the configured ones. */
  ownOrigin: string;
  patterns: readonly string[];
  /** Whether another request may be told other patterns. */
  isOfRequest: boolean;
}

const cachedMax = 100;

/** How to know what is trusted for a request: compiled once for a list, asked anew where the option is a function. */
export const createTrustReader = ({
  trustedOrigins: configured,
}: Pick<GatewayConfig, "trustedOrigins">): ((
  request: FastifyRequest,
  ownOrigin: string,
) => Trust | Promise<Trust>) => {
  const isOfRequest = typeof configured === "function";
  const trustOf = (patterns: readonly string[], ownOrigin: string): Trust => ({
    isTrusted: compileTrustedOrigins([...patterns, ownOrigin]),
    isForeignTrusted: compileTrustedOrigins(patterns),
    ownOrigin,
    patterns,
    isOfRequest,
  });
  if (typeof configured === "function")
    return async ({ headers: { origin, host } }, ownOrigin) => {
      const patterns = await configured({
        ...(origin ? { origin } : {}),
        ...(host ? { host } : {}),
      });
      return trustOf(patterns, ownOrigin);
    };
  const known = new Map<string, Trust>();
  return (_request, ownOrigin) => {
    const cached = known.get(ownOrigin);
    if (cached) return cached;
    const trust = trustOf(configured, ownOrigin);
    if (known.size < cachedMax) known.set(ownOrigin, trust);
    return trust;
  };
};
