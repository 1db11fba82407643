import { basePathOf } from "@latchkey/service-kit";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
import { isKnown } from "../http/is-known.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { stripBasePath } from "../paths/operation-path.ts";
import { createInboundReader } from "../pipeline/read-inbound.ts";
import { type Asset, readAssets } from "./read-assets.ts";
import { referencePage, referencePagePolicy } from "./reference-page.ts";

const metricsName = "reference";

const mountAsset = (app: FastifyInstance, path: string, asset: Asset): void => {
  app.get(`${path}/${asset.name}`, { config: { metricsName } }, async (request, reply) => {
    // Revalidated each time, because the name stays when the bytes change with an upgrade.
    reply.headers({ etag: asset.etag, "cache-control": "public, no-cache" });
    return isKnown(asset.etag, request.headers["if-none-match"])
      ? reply.code(304).send()
      : reply.type(asset.contentType).send(asset.bytes);
  });
};

const isServed = (config: GatewayConfig, path: string): boolean => {
  const { openApi, disabledPaths } = config;
  const below = stripBasePath(path, basePathOf(config));
  const isDisabled =
    below !== undefined && disabledPaths.some((disabled) => canonicalPath(disabled) === below);
  return openApi.enabled && !openApi.disableDefaultReference && !isDisabled;
};

/**
 * Serves the reference page at its path from the origin, and the files of the page below it. The routes bypass the pipeline: they serve
 * fixed
 * public bytes. If the page is off, they do not exist.
 */
export const mountReference = async (
  app: FastifyInstance,
  { config, document }: Pick<Deps, "config" | "document">,
): Promise<void> => {
  const path = config.openApi.path.replace(/\/$/, "");
  if (!isServed(config, path)) return;
  const read = createInboundReader(config);
  for (const url of new Set([path || "/", `${path}/`]))
    app.get(url, { config: { metricsName } }, async (request, reply) => {
      const { appName } = config;
      return reply
        .type("text/html; charset=utf-8")
        .headers(pageHeaders(referencePagePolicy))
        .send(referencePage(document(read(request).baseUrl.url), { appName, path }));
    });
  for (const asset of await readAssets()) mountAsset(app, path, asset);
};
