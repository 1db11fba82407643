import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Block } from "./read-document.ts";

const run = promisify(execFile);
const system = join(import.meta.dirname, "..", "..");

const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  types: ["node"],
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  jsx: "react-jsx",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  paths: {
    "@latchkey/react": [join(system, "libs", "react", "src", "index.ts")],
    "@latchkey/react/styles.css": [join(system, "libs", "react", "src", "styles.d.ts")],
    "@latchkey/server": [join(system, "libs", "server", "src", "index.ts")],
  },
  allowImportingTsExtensions: true,
};

/** Returns the file name of a block. A block that others import has its name in the first line. */
const nameOf = ({ text, line, language }: Block): string =>
  /^\/\/ ([\w-]+\.tsx?)\n/.exec(text)?.[1] ?? `line-${line}.${language}`;

/** The SDK has some plugins only in one of its versions. */
const textOf = ({ text }: Block): string =>
  text.includes("// of the SDK 1.2") ? text.replaceAll('"better-auth/', '"better-auth-1-2/') : text;

/**
 * Type-checks blocks, those of a document together as in one application. Returns the compiler's output, or an empty text if there
 * are no errors.
 */
export const typeCheckBlocks = async (blocks: readonly Block[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-blocks-"));
  try {
    await symlink(join(system, "node_modules"), join(folder, "node_modules"));
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["pages"] }),
    );
    for (const block of blocks) {
      const page = join(folder, "pages", block.document.replaceAll(/\W/g, "-"));
      await mkdir(page, { recursive: true });
      await writeFile(join(page, nameOf(block)), textOf(block), { flag: "wx" });
    }
    await run(join(system, "node_modules", ".bin", "tsc"), ["-p", folder]);
    return "";
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
