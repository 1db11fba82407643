import { brotliCompressSync, gzipSync } from "node:zlib";
import { operations } from "@latchkey/contracts";
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

/** The requests that every screen waits for, as `access-query.ts` of the admin web makes them. */
const firstRequests = [
  `${operations.identity.getSession.path}?disableCookieCache=true`,
  operations.identity.adminListPermissions.path,
];

/** Lets the browser start a request while it loads the scripts. The mode must be that of the later `fetch`. */
const preloadOf = (url: string): string =>
  `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(url)}">`;

/** Returns the built page with its settings. URLs of its files are replaced by those under which they are served. */
export const fillPage = (page: string, place: AdminPlace): string => {
  const { appName, path, basePath, features } = place;
  const told = [
    metaOf("latchkey-base-path", basePath),
    metaOf("latchkey-admin-path", path),
    metaOf("latchkey-app-name", appName),
    metaOf("latchkey-features", features.join(" ")),
    ...firstRequests.map((path) => preloadOf(basePath + path)),
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
