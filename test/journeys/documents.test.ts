import { glob } from "node:fs/promises";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBrowserLike } from "../harness/browser-like.ts";
import { findBrokenLinks } from "../documents/broken-links.ts";
import { startDocumentShell } from "../documents/document-shell.ts";
import {
  type DocumentedSystem,
  documentedPassword,
  startDocumentedSystem,
} from "../documents/documented-system.ts";
import { findMissingNames } from "../documents/missing-names.ts";
import { type Block, type Document, readDocument } from "../documents/read-document.ts";
import { findMissingLine } from "../documents/shown-output.ts";
import { typeCheckBlocks } from "../documents/type-check-blocks.ts";

/** The accepted reasons not to run a block. Every other block is run. */
const notRun = new Set([
  "not run: needs Docker",
  "not run: needs a service of yours", // run by verify-package.test.ts
  "not run: needs Kubernetes",
  "not run: needs systemd",
  "not run: needs a provider",
  "not run: starts what is run here",
  "not run: installs packages",
]);
/** The accepted reasons not to check a block. */
const notChecked = /^not checked: (?:part of a whole|Python|\S+ is not installed here)$/;
const code = new Set(["ts", "tsx"]);

const readAll = async (...patterns: string[]): Promise<Document[]> => {
  const paths: string[] = [];
  for await (const path of glob(patterns)) paths.push(path);
  return Promise.all(paths.toSorted().map(readDocument));
};

const isRun = ({ language, mark }: Block): boolean => language === "sh" && mark === undefined;

const pages = await readAll("README.md", "docs/*.md");
const runnable = pages.filter(({ blocks }) => blocks.some(isRun));
/**
 * Run before the others, one after the other: others continue from the README's result, and a backup is consistent only while
 * nothing is written.
 */
const inTurn = new Set(["README.md", "docs/operations.md"]);
const [first = [], others = []] = [true, false].map((isFirst) =>
  runnable
    .filter(({ path }) => inTurn.has(path) === isFirst)
    .map((page) => [page.path, page] as const),
);
const blocksOf = (isWanted: (block: Block) => boolean): Block[] =>
  pages.flatMap(({ blocks }) => blocks.filter(isWanted));

let system: DocumentedSystem;
beforeAll(async () => {
  system = await startDocumentedSystem();
}, 60_000);
afterAll(() => system?.stop());

/** Signs up a user and returns the id. */
const signUp = async (name: string): Promise<string> => {
  const person = { name, email: `${name}@example.com`, password: documentedPassword };
  const answer = await createBrowserLike(system.url).post("/sign-up/email", person);
  const { user } = (await answer.json()) as { user: { id: string } };
  return user.id;
};

const pageMilliseconds = 300_000;
const portOwners = ["gateway", "identity", "organization", "apikey"];

/** Replaces the placeholders of a page with the reader's own values. */
const createFiller = (page: string) => {
  const { secret, serviceToken, userId, key } = system.own;
  const outputs: string[] = [];
  const findLast = (pattern: RegExp) =>
    outputs.map((output) => pattern.exec(output)?.[1]).findLast((found) => found !== undefined);
  const values: Readonly<Record<string, () => string | undefined | Promise<string>>> = {
    "service token": () => serviceToken,
    old: () => secret,
    key: () => key,
    "id of a user": () => userId,
    "id of another user": () => signUp(`another-of-${page}`),
    id: () => findLast(/"id":"([^"]+)"/),
    "key of the answer": () => findLast(/"key":"([^"]+)"/),
    "public key": () => findLast(/^(\S{40,})$/m),
  };
  const fill = async ({ document, line, text }: Block): Promise<string> => {
    let filled = text.replaceAll(
      /http:\/\/localhost:300([0-3])/g,
      (_url, port: string) => system.running.services[portOwners[Number(port)] ?? ""]?.url ?? "",
    );
    const names = new Set(Array.from(text.matchAll(/<([a-z][a-z ]+)>/g), ([, name = ""]) => name));
    for (const name of names) {
      const value = await values[name]?.();
      if (value === undefined) throw new Error(`${document}:${line}: no value for <${name}>`);
      filled = filled.replaceAll(`<${name}>`, value);
    }
    return filled;
  };
  return {
    fill,
    note: (output: string) => {
      outputs.push(output);
    },
  };
};

/** Runs the blocks of a page, one after the other. */
const runPage = async ({ path, blocks }: Document): Promise<void> => {
  const name = basename(path, ".md").toLowerCase();
  const { folder, environment } = await system.openFolder(name);
  const { fill, note } = createFiller(name);
  const shell = startDocumentShell(folder, environment);
  try {
    for (const block of blocks.filter(isRun)) {
      const output = await shell.run(await fill(block)).catch((error: Error) => {
        throw new Error(`${path}:${block.line}: ${error.message}`);
      });
      note(output);
      const missing = findMissingLine(block.shown ?? "", output);
      if (missing !== undefined)
        throw new Error(`${path}:${block.line}: shows ${missing}\nwritten was\n${output}`);
    }
  } finally {
    await shell.stop();
  }
};

describe("the commands of the documentation work as written", () => {
  test.each(first)("%s", (_path, page) => runPage(page), pageMilliseconds);

  test.concurrent.each(others)("%s", (_path, page) => runPage(page), pageMilliseconds);

  test("users can sign in to what was restored as described", async () => {
    const restored = await system.runOn("latchkey_restored");
    try {
      const browser = createBrowserLike(restored.base);
      const email = "ada@example.com";
      const signedIn = await browser.post("/sign-in/email", {
        email,
        password: documentedPassword,
      });
      expect(signedIn.status).toBe(200);
      expect(await (await browser.get("/get-session")).json()).toMatchObject({ user: { email } });
    } finally {
      await restored.stop();
    }
  });
});

test("a block that is not run gives its reason, and names only what exists", async () => {
  const marked = blocksOf(({ language, mark }) => language === "sh" && mark !== undefined);
  for (const { document, line, mark = "" } of marked)
    expect(notRun, `${document}:${line}`).toContain(mark);
  const missing = await Promise.all(
    marked.map(async (block) =>
      (await findMissingNames(block)).map((name) => [block.document, name]),
    ),
  );
  expect(missing.flat()).toEqual([]);
});

test("every TypeScript example compiles, and every JSON example is valid", async () => {
  const examples = blocksOf(({ language }) => code.has(language));
  for (const { document, line, mark } of examples)
    if (mark !== undefined) expect(mark, `${document}:${line}`).toMatch(notChecked);
  expect(await typeCheckBlocks(examples.filter(({ mark }) => mark === undefined))).toBe("");
  for (const { text } of blocksOf(({ language }) => language === "json")) JSON.parse(text);
});

test("every link between documents has a target", async () => {
  const documents = await readAll(
    "*.md",
    "docs/**/*.md",
    "{libs,services,apps}/*/README.md",
    "infra/**/*.md",
  );
  const broken = await Promise.all(documents.map(findBrokenLinks));
  expect(broken.flat()).toEqual([]);
});

test("every page is in the table of the README", async () => {
  const [readme] = await readAll("README.md");
  const missing = (await readAll("docs/*.md")).filter(
    ({ path }) => !readme?.prose.includes(`](${path})`),
  );
  expect(missing.map(({ path }) => path)).toEqual([]);
});
