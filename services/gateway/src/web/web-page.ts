import { brotliCompressSync, gzipSync } from "node:zlib";
import { basePathOf, escapeHtml } from "@latchkey/service-kit";
import type { GatewayConfig } from "../config.ts";
import type { WebFile } from "./web-file.ts";
import type { Web } from "./webs.ts";

const metaOf = (name: string, content: string): string =>
  `<meta name="latchkey-${name}" content="${escapeHtml(content)}">`;

const featuresOf = ({ features }: GatewayConfig): string[] =>
  Object.entries(features).flatMap(([name, isOn]) => (isOn ? [name] : []));

const metasOf = (web: Web, config: GatewayConfig, path: string): string =>
  [
    metaOf("web", web.name),
    metaOf("base-path", basePathOf(config)),
    metaOf("web-path", path),
    metaOf("app-name", config.appName),
    metaOf("features", featuresOf(config).join(" ")),
    ...Object.entries(web.factsOf(config)).map(([name, value]) =>
      metaOf(name, JSON.stringify(value)),
    ),
  ].join("");

const preloadOf = (url: string): string => `<link rel="modulepreload" crossorigin href="${url}">`;

/**
 * Returns the built page with the settings of the installation. URLs of its files are replaced by those under which they are served. It
 * preloads the scripts of a screen, but no operations: a preload cannot send the header that names the admin's own session.
 */
const fillPage = (built: string, web: Web, { config, path, scripts }: Place): string =>
  built
    .replaceAll(/<meta name="latchkey-[^>]*>\s*/g, "")
    .replaceAll(/(?<= (?:src|href)=")([^"]*)/g, (url: string) =>
      url.startsWith(web.builtPath) ? `${path}/${url.slice(web.builtPath.length)}` : url,
    )
    .replace(/<head>/, (head) => head + metasOf(web, config, path))
    .replace(
      /<\/head>/,
      (end) => scripts.map((name) => preloadOf(`${path}/${name}`)).join("") + end,
    );

interface Place {
  config: GatewayConfig;
  /** The path of the web, without a trailing slash. */
  path: string;
  /** The scripts of the screen that is asked for. */
  scripts: readonly string[];
}

/** The page of a web as it is served. */
export const webPage = (built: string, web: Web, place: Place): WebFile => {
  const bytes = Buffer.from(fillPage(built, web, place));
  return {
    contentType: "text/html; charset=utf-8",
    bytes,
    packed: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) },
  };
};
