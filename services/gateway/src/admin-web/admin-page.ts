import { brotliCompressSync, gzipSync } from "node:zlib";
import { escapeHtml } from "@latchkey/service-kit";
import type { WebFile } from "./web-file.ts";

/** Allows only our own scripts and styles and requests to our own server. No page may frame this one. */
export const adminPagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The settings of the installation that the page receives. */
export interface AdminPlace {
  appName: string;
  /** The path of the admin web, without a trailing slash. */
  path: string;
  /** The base path of the operations. */
  basePath: string;
  /** The features that are on. */
  features: readonly string[];
}

/** The path that the build assumes for itself. */
const builtPath = "/admin/";

const metaOf = (name: string, content: string): string =>
  `<meta name="${name}" content="${escapeHtml(content)}">`;

/**
 * Returns the built page with its settings. URLs of its files are replaced by those under which they are served. It preloads no operations:
 * a preload cannot send the header that names the admin's own session.
 */
export const fillPage = (page: string, place: AdminPlace): string => {
  const { appName, path, basePath, features } = place;
  const told = [
    metaOf("latchkey-base-path", basePath),
    metaOf("latchkey-admin-path", path),
    metaOf("latchkey-app-name", appName),
    metaOf("latchkey-features", features.join(" ")),
  ].join("");
  return page
    .replaceAll(/<meta name="latchkey-[^>]*>\s*/g, "")
    .replaceAll(/(?<= (?:src|href)=")([^"]*)/g, (url: string) =>
      url.startsWith(builtPath) ? `${path}/${url.slice(builtPath.length)}` : url,
    )
    .replace(/<head>/, (head) => `${head}${told}`);
};

const asFile = (page: string): WebFile => {
  const bytes = Buffer.from(page);
  return {
    contentType: "text/html; charset=utf-8",
    bytes,
    packed: { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) },
  };
};

/** The page as it is served. */
export const adminPage = (page: string, place: AdminPlace): WebFile =>
  asFile(fillPage(page, place));
