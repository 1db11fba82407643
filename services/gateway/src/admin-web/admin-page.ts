import { brotliCompressSync, gzipSync } from "node:zlib";
import { escapeHtml } from "@latchkey/service-kit";
import type { WebFile } from "./web-file.ts";

/** Only files of our own run and style, only our own server is asked, and no page may hold this one. */
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

/** What the page is told of the installation. */
export interface AdminPlace {
  appName: string;
  /** Where the web is, without a slash at its end. */
  path: string;
  /** Below which the operations live. */
  basePath: string;
  /** The features that are on. */
  features: readonly string[];
}

/** Where the build takes itself to be. */
const builtPath = "/admin/";

const metaOf = (name: string, content: string): string =>
  `<meta name="${name}" content="${escapeHtml(content)}">`;

/** The built page, told where it is, and where and which operations are; its files are named where they are served. */
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
