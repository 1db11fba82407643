import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  type Branding,
  brandingSources,
  fileEnding,
  imageTypes,
  isAddress,
  type Options,
} from "@latchkey/contracts";
import type { Environment } from "./environment.ts";

/** A file that the configuration names, as the gateway serves it. */
export interface BrandingFile {
  contentType: string;
  bytes: Buffer;
}

/** The files of all looks by their paths as the configuration has them. */
export type BrandingFiles = ReadonlyMap<string, BrandingFile>;

/** The first bytes of each type of file. An SVG begins in several ways. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  ".png": ["\x89PNG\r\n\x1a\n"],
  ".jpg": ["\xff\xd8\xff"],
  ".jpeg": ["\xff\xd8\xff"],
  ".webp": ["RIFF"],
  ".ico": ["\0\0\x01\0"],
  ".woff2": ["wOF2"],
};

/** A reader of a slow network waits for these. */
const kilobytesMax: Readonly<Record<string, number>> = { css: 64, background: 1000, font: 300 };
const imageKilobytesMax = 200;

/** A style sheet that loads something would be blocked by the policy of the page, without a word. */
const styleProblem = (style: string): string | undefined => {
  const plain = style.replaceAll(/\/\*.*?\*\//gs, "");
  if (/[\0\uFFFD]/.test(style)) return "is not text in UTF-8";
  // It would end the element of pages that contain it.
  if (style.includes("</")) return "must not contain </";
  if (/@import\b/i.test(plain)) return "must not use @import: the page loads no other style sheets";
  return /url\(\s*["']?(?!#)/i.test(plain)
    ? "must not load files with url(): use branding.background, branding.logo or branding.font"
    : undefined;
};

const contentProblem = (ending: string, bytes: Buffer): string | undefined => {
  if (ending === ".css") return styleProblem(bytes.toString("utf8"));
  if (ending === ".svg") return /<svg[\s>]/.test(bytes.toString("utf8")) ? undefined : "is no SVG";
  const isOfType = beginnings[ending]?.some((start) =>
    bytes.subarray(0, start.length).equals(Buffer.from(start, "latin1")),
  );
  return isOfType ? undefined : `is no ${ending.slice(1).toUpperCase()} file`;
};

const typeOf = (ending: string): string =>
  ({ ".css": "text/css; charset=utf-8", ".woff2": "font/woff2", ...imageTypes })[ending] ??
  "application/octet-stream";

/** Reads a file, or throws an error that states the problem. */
const readFileOf = (option: string, path: string): BrandingFile => {
  const [kind = ""] = option.split(".");
  const kilobytes = kilobytesMax[kind] ?? imageKilobytesMax;
  let bytes: Buffer;
  try {
    const status = statSync(path);
    // Reading a pipe would block the process until something writes to it.
    if (!status.isFile()) throw new Error("is not a regular file");
    if (status.size > kilobytes * 1000) throw new Error(`is larger than ${kilobytes} KB`);
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`cannot be read (${code})`, { cause: error });
  }
  const ending = fileEnding(path);
  const problem = contentProblem(ending, bytes);
  if (problem !== undefined) throw new Error(problem);
  return { contentType: typeOf(ending), bytes };
};

/** Returns every look that a configuration has, with the name of its option. */
const looksOf = ({ applications, ...own }: Branding): [name: string, look: Partial<Branding>][] => [
  ["branding", own],
  ...Object.entries(applications).map(([url, look]): [string, Partial<Branding>] => [
    `branding.applications.${url}`,
    look as Partial<Branding>, // its members may also be undefined
  ]),
];

/** Returns the folder from which paths in the configuration count: that of its file. */
const folderOf = ({ LATCHKEY_CONFIG: file }: Environment): string =>
  file ? dirname(resolve(file)) : process.cwd();

/** Reads the files of all looks, and adds the unusable ones to `problems`. Each is read once, so that all pages have the same. */
export const readBrandingFiles = (
  branding: Branding,
  environment: Environment,
  problems: string[],
): BrandingFiles => {
  const files = new Map<string, BrandingFile>();
  for (const [name, look] of looksOf(branding))
    for (const [option, source] of Object.entries(brandingSources(look))) {
      if (isAddress(source) || files.has(source)) continue;
      try {
        files.set(source, readFileOf(option, resolve(folderOf(environment), source)));
      } catch (error) {
        problems.push(`${name}.${option}: ${source} ${(error as Error).message}`);
      }
    }
  return files;
};

/** Checks the rules between looks and other options. */
export const checkBranding = (
  { appURL, branding }: Pick<Options, "appURL" | "branding">,
  production: boolean,
): string[] => {
  const urls = [appURL].flat();
  const strangers = Object.keys(branding.applications)
    .filter((url) => !urls.includes(url))
    .map(
      (url) =>
        `branding.applications.${url}: must be one of appURL${urls.length === 0 ? ", which is not set (APP_URL)" : `: ${urls.join(", ")}`}`,
    );
  if (!production) return strangers;
  const addresses = looksOf(branding).flatMap(([name, look]) =>
    Object.entries({
      ...brandingSources(look),
      termsURL: look.termsURL,
      privacyURL: look.privacyURL,
      ...Object.fromEntries(
        (look.links ?? []).map(({ url }, index) => [`links.${index}.url`, url]),
      ),
    }).map(([option, address]) => ({ option: `${name}.${option}`, address })),
  );
  return [
    ...strangers,
    ...addresses.flatMap(({ option, address }) =>
      address !== undefined && /^http:/i.test(address)
        ? [`${option}: must be https in production`]
        : [],
    ),
  ];
};
