import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import type { WebFile } from "./web-file.ts";

/** A screen of a web, as its build describes it. */
export interface Screen {
  /** The scripts that it needs. */
  scripts: readonly string[];
  /** Whether its page is for signed-out users, and shows the background of the look before the scripts have run. */
  isSignedOut: boolean;
}

/** The output of `npm run build` for a web. */
export interface WebBuild {
  /** The only page. */
  page: string;
  /** Every other file by its path. */
  files: ReadonlyMap<string, WebFile>;
  /** By the paths of their routes, such as `/users/$userId`. */
  screens: Readonly<Record<string, Screen>>;
}

const screensName = "screens.json";

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

const isFileOfWeb = (path: string): boolean =>
  extname(path) in contentTypes && !path.split("/").some((segment) => segment.startsWith("."));

/** A file with its compressed forms, if the build has created any. */
const readWebFile = async (directory: string, path: string): Promise<WebFile> => {
  const packed = (ending: string) =>
    readFile(join(directory, `${path}.${ending}`)).catch(() => undefined);
  const [bytes, br, gzip] = await Promise.all([
    readFile(join(directory, path)),
    packed("br"),
    packed("gz"),
  ]);
  return {
    contentType: contentTypes[extname(path)] ?? "application/octet-stream",
    bytes,
    packed: { ...(br && { br }), ...(gzip && { gzip }) },
  };
};

const readScreens = async (directory: string): Promise<WebBuild["screens"]> => {
  const text = await readFile(join(directory, screensName), "utf8").catch(() => "{}");
  return JSON.parse(text) as WebBuild["screens"]; // the build has written it
};

/** Reads all files. Returns undefined if there is no build. */
export const readBuild = async (directory: string): Promise<WebBuild | undefined> => {
  const page = await readFile(join(directory, "index.html"), "utf8").catch(() => undefined);
  if (page === undefined) return undefined;
  const entries = await readdir(directory, { recursive: true });
  const paths = entries
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => isFileOfWeb(path) && path !== screensName);
  const files = await Promise.all(
    paths.map(async (path) => [path, await readWebFile(directory, path)] as const),
  );
  return { page, files: new Map(files), screens: await readScreens(directory) };
};
