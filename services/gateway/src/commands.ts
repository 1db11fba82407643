import type { Settings } from "@latchkey/service-kit/config";
import { readGatewayConfig } from "./config.ts";
import { compileTrustedOrigins } from "./origins/trusted-origin.ts";
import { webPath } from "./web/web-path.ts";
import { type Web, webs } from "./web/webs.ts";

// Used by commands, beside the running service or without it.

/** Returns the path of a web from the origin. Returns undefined if it is off or cannot be served. */
export const findWeb = (name: Web["name"], settings: Settings): string | undefined => {
  const config = readGatewayConfig(settings);
  const web = webs.find((known) => known.name === name);
  const place = web && webPath(web, config);
  return place && "path" in place ? place.path : undefined;
};

/**
 * Returns the pages of `oneTimeToken.callbackURLs` that are not trusted, so that nobody is led to them. With a function of trusted origins
 * that is unknown.
 */
export const findUntrustedTokenPages = ({ options, production }: Settings): string[] => {
  const { trustedOrigins, appURL, baseURL, oneTimeToken } = options;
  if (typeof trustedOrigins === "function") return [];
  const origins = [appURL, baseURL ?? []].flat().map((url) => new URL(url).origin);
  const isTrusted = compileTrustedOrigins([...trustedOrigins, ...origins], {
    allowsHttp: !production,
  });
  return oneTimeToken.callbackURLs.filter((page) => !isTrusted(page));
};
