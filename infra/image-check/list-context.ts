import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compileDockerIgnore } from "./docker-ignore.ts";

/** Large folders that are never part of an image. They are not read. */
const passedBy = new Set([".data", ".git", "node_modules"]);

const listBelow = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const paths = await Promise.all(
    entries
      .filter(({ name }) => !passedBy.has(name))
      .map(async (entry) => {
        const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
        return entry.isDirectory() ? listBelow(root, path) : [path];
      }),
  );
  return paths.flat();
};

/** Returns the files of the build context: those below `root` that its `.dockerignore` does not exclude. */
export const listContext = async (root: string): Promise<string[]> => {
  const isIgnored = compileDockerIgnore(await readFile(join(root, ".dockerignore"), "utf8"));
  const files = await listBelow(root, "");
  return files.filter((path) => !isIgnored(path)).toSorted();
};
