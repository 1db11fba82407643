import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folder of the project. */
export const projectRoot = join(import.meta.dirname, "..");

/** A TypeScript file of the project. */
export interface SourceFile {
  /** Path from the project's folder. */
  path: string;
  text: string;
  lineCount: number;
  /** Tests, fixtures, benchmarks, and all that only tests import. */
  isTest: boolean;
  /** Paths of the files that it imports by a path, types included. */
  imports: readonly string[];
}

const testPath = /\.(?:test|bench|fixture)\.|^test\/|\/test\/|testkit/;
/** The webs import the files of the library `ui` by the name of its package. */
const importedPath = /(?:from|import)\s*\(?\s*"(\.[^"]+|@latchkey\/ui\/[^"]+)"/g;

/** Returns the paths that a text imports, as written from the folder of its file. */
export const readImports = (path: string, text: string): string[] => [
  ...new Set(
    [...text.matchAll(importedPath)].map(([, to = ""]) =>
      to.startsWith(".") ? join(dirname(path), to) : to.replace("@latchkey/ui", "libs/ui/src"),
    ),
  ),
];

/** Reads every TypeScript file that git tracks. */
export const readSources = (): SourceFile[] =>
  execFileSync("git", ["ls-files", "*.ts", "*.tsx"], { cwd: projectRoot, encoding: "utf8" })
    .trim()
    .split("\n")
    .map((path) => {
      const text = readFileSync(join(projectRoot, path), "utf8");
      return {
        path,
        text,
        lineCount: text.split("\n").length - 1,
        isTest: testPath.test(path),
        imports: readImports(path, text),
      };
    });
