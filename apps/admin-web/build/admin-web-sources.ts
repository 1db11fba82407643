import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** The folder of the admin web. */
export const adminWebDirectory = join(root, "apps", "admin-web");

/** The build output, and the file in it with the stamp of its sources. */
export const builtDirectory = join(adminWebDirectory, "dist");
export const stampName = ".stamp";

/** The folders of its sources. It also contains the contracts. */
const sourceDirectories = [adminWebDirectory, join(root, "libs", "contracts", "src")];
const notSources =
  /(^|[\\/])(\.[^\\/]*|node_modules|dist|dist-[\d-]+)([\\/]|$)|\.test\.tsx?$|\.md$/;

const listSources = async (directory: string): Promise<string[]> => {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !notSources.test(path.slice(directory.length)))
    .toSorted();
};

/** Returns a hash of every file that the admin web is built from. It does not depend on their times or place. */
export const stampOfSources = async (directories = sourceDirectories): Promise<string> => {
  const hash = createHash("sha256");
  for (const directory of directories) {
    const paths = await listSources(directory);
    const contents = await Promise.all(paths.map((path) => readFile(path)));
    for (const [index, path] of paths.entries()) {
      const content = createHash("sha256").update(contents[index] ?? "");
      hash.update(`${path.slice(directory.length)}\0`).update(content.digest());
    }
  }
  return hash.digest("hex");
};

/** Returns whether the build output matches the current sources. */
export const isBuilt = async (): Promise<boolean> => {
  const stamp = await readFile(join(builtDirectory, stampName), "utf8").catch(() => "");
  return stamp !== "" && stamp === (await stampOfSources());
};
