import { lookNames, lookPath } from "@latchkey/contracts";
import { basePathOf, type BrandingFile } from "@latchkey/service-kit/config";
import type { FastifyInstance } from "fastify";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Deps } from "../deps.ts";
import { sendAskedAgain, sendForGood, type WebFile } from "./web-file.ts";

/** Images and fonts of small types are compressed already. */
const isText = ({ contentType }: BrandingFile): boolean => /^text\/|svg/.test(contentType);

const webFileOf = ({ contentType, bytes }: BrandingFile): WebFile => ({
  contentType,
  bytes,
  packed: isText({ contentType, bytes })
    ? { br: brotliCompressSync(bytes), gzip: gzipSync(bytes) }
    : {},
});

/**
 * An SVG can contain scripts. As an image of a page it never runs them. If it is opened by itself, this policy forbids them and gives it an
 * origin of its own, so that it reads nothing of ours.
 */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Mail programs of the web load images from their own pages. */
const imageHeaders = {
  "content-security-policy": imagePolicy,
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * An empty page without scripts, in which the admin web draws the preview of a look. It may show images from anywhere, and images and fonts
 * that the admin has just chosen, which the policy of the admin web itself does not allow.
 */
const previewPage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Preview</title></head><body><div id="root"></div></body></html>';

const previewHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' https: blob:; font-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
};

const isImage = ({ contentType }: BrandingFile): boolean => contentType.startsWith("image/");

/**
 * Serves the style sheets, images and fonts of the looks. They bypass the pipeline: they are fixed public bytes. The name of each contains a
 * hash of its contents, except that of the logo in mails.
 */
export const mountLook = (app: FastifyInstance, { config }: Pick<Deps, "config">): void => {
  const { files, mailLogo } = config.looks;
  const basePath = basePathOf(config);
  const options = { config: { metricsName: "look" }, exposeHeadRoute: true };
  const sends = new Map(
    [...files].map(([name, file]) => [name, { file, send: sendForGood(webFileOf(file)) }]),
  );
  for (const kind of ["light", "dark"] as const) {
    const file = mailLogo[kind];
    if (file) sends.set(lookNames.mailLogo[kind], { file, send: sendAskedAgain(webFileOf(file)) });
  }
  app.get(lookPath(basePath, lookNames.preview), options, (_request, reply) =>
    reply.type("text/html; charset=utf-8").headers(previewHeaders).send(previewPage),
  );
  app.get(lookPath(basePath, ":name"), options, (request, reply) => {
    const { name } = request.params as { name: string };
    const served = sends.get(name);
    if (!served) return reply.code(404).send();
    if (isImage(served.file)) reply.headers(imageHeaders);
    return served.send(request, reply);
  });
};

/** Returns the icon of the installation as a file of the web, if it is one of its own. */
export const faviconOf = ({ looks }: Deps["config"]): WebFile | undefined =>
  looks.favicon && webFileOf(looks.favicon);
