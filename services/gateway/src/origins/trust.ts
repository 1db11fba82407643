import { createBoundedMemo } from "@latchkey/service-kit/bounds";
import type { FastifyRequest } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { compileTrustedOrigins } from "./trusted-origin.ts";

type IsTrusted = (value: string) => boolean;

/** The trusted origins and redirect targets of a request. */
export interface Trust {
  /** The configured origins and our own. */
  isTrusted: IsTrusted;
  /** Only the configured ones, to which CORS applies. */
  isForeignTrusted: IsTrusted;
  /** The sources of trust: our own origin, and the configured patterns. */
  ownOrigin: string;
  patterns: readonly string[];
  /** Origins of the configured applications, which are trusted too. */
  appOrigins: readonly string[];
  /** Whether other requests may have other patterns. */
  isOfRequest: boolean;
  /** Whether a pattern without a scheme also means http. */
  allowsHttp: boolean;
}

const entriesMax = 100;

/** Creates a reader of the trusted origins of a request. A list is compiled once; a function is called for each request. */
export const createTrustReader = ({
  trustedOrigins: configured,
  appURLs,
  production,
}: Pick<GatewayConfig, "appURLs" | "production" | "trustedOrigins">): ((
  request: FastifyRequest,
  ownOrigin: string,
) => Promise<Trust>) => {
  const isOfRequest = typeof configured === "function";
  const allowsHttp = !production;
  const appOrigins = [...new Set(appURLs.map((url) => new URL(url).origin))];
  const trustOf = (patterns: readonly string[], ownOrigin: string): Trust => ({
    isTrusted: compileTrustedOrigins([...patterns, ...appOrigins, ownOrigin], { allowsHttp }),
    isForeignTrusted: compileTrustedOrigins([...patterns, ...appOrigins], { allowsHttp }),
    ownOrigin,
    patterns,
    appOrigins,
    isOfRequest,
    allowsHttp,
  });
  if (typeof configured === "function")
    return async ({ headers: { origin, host } }, ownOrigin) => {
      const patterns = await configured({
        ...(origin ? { origin } : {}),
        ...(host ? { host } : {}),
      });
      return trustOf(patterns, ownOrigin);
    };
  const trustByOrigin = createBoundedMemo<Trust>({ entriesMax });
  /** Comparing costs less than a look-up. */
  let last: Trust | undefined;
  return async (_request, ownOrigin) => {
    if (last?.ownOrigin === ownOrigin) return last;
    last = trustByOrigin.get(ownOrigin);
    if (last) return last;
    last = trustOf(configured, ownOrigin);
    trustByOrigin.set(ownOrigin, { entry: last });
    return last;
  };
};
