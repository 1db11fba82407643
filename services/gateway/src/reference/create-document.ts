import { openApiDocument } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";
import { sessionCookieName } from "../cookies/session-cookie-name.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { isOffered } from "../pipeline/match-operation.ts";

type Config = Pick<
  GatewayConfig,
  "additionalFields" | "advanced" | "appName" | "bearer" | "disabledPaths" | "features"
> &
  Partial<Pick<GatewayConfig, "baseURL">>;

/** Gives the OpenAPI document as JSON text, for clients that reach us at a base URL. */
export type ApiDocument = (baseUrl: string) => string;

const cachedMax = 20;

/** Describes what this installation offers, once, for whoever asks first; only the base URL differs between requests. */
export const createDocument = (config: Config): ApiDocument => {
  const { features, additionalFields: fields } = config;
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));
  const describe = () =>
    openApiDocument("", {
      title: config.appName,
      cookieName: sessionCookieName(config),
      bearer: config.bearer.enabled,
      fields,
      isOffered: (declared) => !disabled.has(declared.path) && isOffered(features, declared),
    });
  let document: ReturnType<typeof describe> | undefined;
  const known = new Map<string, string>();
  return (baseUrl) => {
    const cached = known.get(baseUrl);
    if (cached !== undefined) return cached;
    document ??= describe();
    const text = JSON.stringify({ ...document, servers: [{ url: baseUrl }] });
    if (known.size < cachedMax) known.set(baseUrl, text);
    return text;
  };
};
