import { escapeHtml } from "@latchkey/contracts";
import { basePathOf } from "@latchkey/service-kit/config";
import type { FastifyInstance } from "fastify";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { GatewayConfig } from "../config.ts";
import type { Deps } from "../deps.ts";
import { isKnown } from "../http/is-known.ts";
import { pageHeaders } from "../http/page-headers.ts";
import { canonicalPath } from "../paths/canonical-path.ts";
import { stripBasePath } from "../paths/operation-path.ts";
import { createInboundReader } from "../http/read-inbound.ts";

/** Allows only our own files and requests to our own server. Icons of the style are data URLs. */
export const referencePagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Escapes `<`, so that the JSON cannot end the element that holds it. In JSON it occurs only in texts. */
const escapeJson = (json: string): string => json.replaceAll("<", String.raw`\u003c`);

/** Returns the page that shows an OpenAPI document, given as JSON text, with the files below `path`. */
export const referencePage = (
  document: string,
  { appName, path }: { appName: string; path: string },
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(appName)} API reference</title>
<link rel="stylesheet" href="${path}/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript.</noscript>
<script id="api-reference" type="application/json">${escapeJson(document)}</script>
<script src="${path}/swagger-ui-bundle.js"></script>
<script src="${path}/start.js"></script>
</body>
</html>
`;

/** A file that the reference page loads. */
interface Asset {
  name: string;
  contentType: string;
  bytes: Buffer;
  /** Changes with the bytes. */
  etag: string;
}

const script = "text/javascript; charset=utf-8";

const files = [
  [
    "swagger-ui.css",
    import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
    "text/css; charset=utf-8",
  ],
  ["swagger-ui-bundle.js", import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"), script],
  ["start.js", import.meta.resolve("./start.js"), script],
] as const;

/** Reads all files of the reference page. Nothing else is served below its path. */
const readAssets = (): Promise<Asset[]> =>
  Promise.all(
    files.map(async ([name, url, contentType]) => {
      const bytes = await readFile(new URL(url));
      const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
      return { name, contentType, bytes, etag };
    }),
  );

const options = { config: { metricsName: "reference" }, exposeHeadRoute: true };

const mountAsset = (app: FastifyInstance, path: string, asset: Asset): void => {
  app.get(`${path}/${asset.name}`, options, async (request, reply) => {
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
    app.get(url, options, async (request, reply) => {
      const { appName } = config;
      return reply
        .type("text/html; charset=utf-8")
        .headers(pageHeaders(referencePagePolicy))
        .send(referencePage(document(read(request).baseUrl.url), { appName, path }));
    });
  for (const asset of await readAssets()) mountAsset(app, path, asset);
};
