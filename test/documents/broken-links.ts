import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { type Document, readDocument } from "./read-document.ts";

const link = /\[[^\]]*\]\(([^)\s]+)\)/g;
const heading = /^#{1,6} (.+)$/gm;

/** Returns the anchor of a heading, as Markdown renderers derive it. */
const anchorOf = (text: string): string =>
  text
    .replaceAll(/[`*]|\[|\]\([^)]*\)/g, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = ({ prose }: Document): Set<string> =>
  new Set(Array.from(prose.matchAll(heading), ([, text = ""]) => anchorOf(text)));

/** Returns the links of a page to files or headings that do not exist. */
export const findBrokenLinks = async (document: Document): Promise<string[]> => {
  const broken: string[] = [];
  for (const [, target = ""] of document.prose.matchAll(link)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [file = "", anchor] = target.split("#", 2);
    const path = file === "" ? document.path : normalize(join(dirname(document.path), file));
    const isThere = existsSync(path);
    const isWhole =
      isThere && (!anchor || anchorsOf(await readDocument(path)).has(decodeURIComponent(anchor)));
    if (!isWhole) broken.push(`${document.path}: ${target}`);
  }
  return broken;
};
