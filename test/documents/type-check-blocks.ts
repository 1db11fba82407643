import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Block } from "./read-document.ts";

const run = promisify(execFile);
const house = join(import.meta.dirname, "..", "..");

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
  paths: { "@latchkey/verify": [join(house, "libs", "verify", "src", "index.ts")] },
  allowImportingTsExtensions: true,
};

/** A block says its name in its first line where others import it. */
const nameOf = ({ text, line, language }: Block): string =>
  /^\/\/ ([\w-]+\.tsx?)\n/.exec(text)?.[1] ?? `line-${line}.${language}`;

/** The SDK has plugins at one version and not at another. */
const textOf = ({ text }: Block): string =>
  text.includes("// of the SDK 1.2") ? text.replaceAll('"better-auth/', '"better-auth-1-2/') : text;

/** What the compiler says of the blocks, those of a document together as an application has them; nothing where all is well. */
export const typeCheckBlocks = async (blocks: readonly Block[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-blocks-"));
  try {
    await symlink(join(house, "node_modules"), join(folder, "node_modules"));
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["pages"] }),
    );
    for (const block of blocks) {
      const page = join(folder, "pages", block.document.replaceAll(/\W/g, "-"));
      await mkdir(page, { recursive: true });
      await writeFile(join(page, nameOf(block)), textOf(block), { flag: "wx" });
    }
    await run(join(house, "node_modules", ".bin", "tsc"), ["-p", folder]);
    return "";
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
