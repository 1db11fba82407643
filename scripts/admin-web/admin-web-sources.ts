import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** The folder of the admin web. */
export const adminWebDirectory = join(root, "apps", "admin-web");

/** What is built of it, and what says of which sources. */
export const builtDirectory = join(adminWebDirectory, "dist");
export const stampName = ".stamp";

const contractsDirectory = join(root, "libs", "contracts", "src");
const notSources = /(^|[\\/])(node_modules|dist|dist-\d+)([\\/]|$)|\.test\.tsx?$|\.md$/;

const listSources = async (directory: string): Promise<string[]> => {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !notSources.test(path.slice(directory.length)))
    .toSorted();
};

/** Changes with every file that the built web is made of. */
export const stampOfSources = async (): Promise<string> => {
  const lists = await Promise.all([adminWebDirectory, contractsDirectory].map(listSources));
  const paths = lists.flat();
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  const hash = createHash("sha256");
  for (const [index, path] of paths.entries())
    hash.update(`${path.slice(root.length)}\0`).update(contents[index] ?? "");
  return hash.digest("hex");
};

/** Whether what is built was built of the sources of now. */
export const isBuilt = async (): Promise<boolean> => {
  const stamp = await readFile(join(builtDirectory, stampName), "utf8").catch(() => "");
  return stamp !== "" && stamp === (await stampOfSources());
};
