import { glob } from "node:fs/promises";
import { basename } from "node:path";
import { createBrowserLike } from "../harness/browser-like.ts";
import { signUp } from "../harness/users.ts";
import { startDocumentShell } from "./document-shell.ts";
import { documentedEmail, type DocumentedSystem, documentedPassword } from "./documented-system.ts";
import { type Block, type Document, readDocument } from "./read-document.ts";
import { findMissingLine } from "./shown-output.ts";

/** Reads the documents that match the patterns, in the order of their paths. */
export const readDocuments = async (...patterns: string[]): Promise<Document[]> => {
  const paths: string[] = [];
  for await (const path of glob(patterns)) paths.push(path);
  return Promise.all(paths.toSorted().map(readDocument));
};

/** Whether a test runs the commands of a block. */
export const isRun = ({ language, mark }: Block): boolean =>
  language === "sh" && mark === undefined;

/** Signs up a user and returns the id. */
const createUser = async (system: DocumentedSystem, name: string): Promise<string> => {
  const email = `${name}@example.com`;
  return (await signUp(system, { name, email, password: documentedPassword })).user.id;
};

/** Lets the admin who owns the session create something. Returns its id. */
const createOwn = async (system: DocumentedSystem, path: string, body: object): Promise<string> => {
  const browser = createBrowserLike(system.url);
  await browser.post("/sign-in/email", { email: documentedEmail, password: documentedPassword });
  const created = await browser.post(path, body);
  return ((await created.json()) as { id: string }).id;
};

/** Time limit for the commands of one page. */
export const pageMilliseconds = 900_000;
const portOwners = ["gateway", "identity", "organization", "apikey"];

/** Replaces the placeholders of a page with the reader's own values. */
const createFiller = (system: DocumentedSystem, page: string) => {
  const { secret, serviceToken, userId, key } = system.own;
  const outputs: string[] = [];
  const findLast = (pattern: RegExp) =>
    outputs.map((output) => pattern.exec(output)?.[1]).findLast((value) => value !== undefined);
  const values: Readonly<Record<string, () => string | undefined | Promise<string>>> = {
    "service token": () => serviceToken,
    old: () => secret,
    key: () => key,
    "id of a user": () => userId,
    "id of another user": () => createUser(system, `another-of-${page}`),
    "id of a key": () => createOwn(system, "/api-key/create", {}),
    "id of an organization": () =>
      createOwn(system, "/organization/create", { name: "Acme", slug: `acme-of-${page}` }),
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
    record: (output: string) => {
      outputs.push(output);
    },
  };
};

/** Runs the commands of a page, one after the other. Throws with the page and line if one fails or shows something else. */
export const runPage = async (
  system: DocumentedSystem,
  { path, blocks }: Document,
): Promise<void> => {
  const name = basename(path, ".md").toLowerCase();
  const { folder, environment } = await system.openFolder(name);
  const { fill, record } = createFiller(system, name);
  const shell = startDocumentShell(folder, environment);
  try {
    for (const block of blocks.filter(isRun)) {
      const output = await shell.run(await fill(block)).catch((error: Error) => {
        throw new Error(`${path}:${block.line}: ${error.message}`);
      });
      record(output);
      const missing = findMissingLine(block.shown ?? "", output);
      if (missing !== undefined)
        throw new Error(`${path}:${block.line}: shows ${missing}\nwritten was\n${output}`);
    }
  } finally {
    await shell.stop();
  }
};
