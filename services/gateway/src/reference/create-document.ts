import { openApiDocument } from "@latchkey/contracts";
import { createBoundedMemo } from "@latchkey/service-kit/bounds";
import type { GatewayConfig } from "../config.ts";
import { describeCookie } from "../cookies/describe-cookie.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { isOffered } from "../paths/match-operation.ts";

type Config = Pick<
  GatewayConfig,
  "additionalFields" | "advanced" | "appName" | "bearer" | "disabledPaths" | "features"
> &
  Partial<Pick<GatewayConfig, "baseURL">>;

/** Returns the OpenAPI document as JSON text, for clients that reach us at a base URL. */
export type ApiDocument = (baseUrl: string) => string;

const entriesMax = 20;

/** Describes the operations of this installation on the first request. Only base URL and cookie name differ between requests. */
export const createDocument = (config: Config): ApiDocument => {
  const { features, additionalFields: fields } = config;
  const disabled = new Set(config.disabledPaths.map((path) => canonicalPath(path) ?? path));
  const describe = (cookieName: string) =>
    openApiDocument("", {
      title: config.appName,
      cookieName,
      bearer: config.bearer.enabled,
      fields,
      isOffered: (declared) => !disabled.has(declared.path) && isOffered(features, declared),
    });
  const documents = new Map<string, ReturnType<typeof describe>>();
  /** One per name of the cookie, which may differ between http and https. */
  const documentFor = (baseUrl: string) => {
    const own = { ...config, baseURL: config.baseURL ?? baseUrl };
    const cookieName = describeCookie(own, "session_token").name;
    const document = documents.get(cookieName) ?? describe(cookieName);
    documents.set(cookieName, document);
    return document;
  };
  const textByBaseUrl = createBoundedMemo<string>({ entriesMax });
  return (baseUrl) => {
    const cached = textByBaseUrl.get(baseUrl);
    if (cached !== undefined) return cached;
    const text = JSON.stringify({ ...documentFor(baseUrl), servers: [{ url: baseUrl }] });
    textByBaseUrl.set(baseUrl, { entry: text });
    return text;
  };
};
