import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** The webs that are built, each the folder `apps/<name>-web`. */
export const webNames = ["admin", "account"] as const;
export type WebName = (typeof webNames)[number];

/** The folder of a web. */
export const directoryOf = (web: WebName): string => join(root, "apps", `${web}-web`);

/** The build output of a web, and the file in it with the stamp of its sources. */
export const builtDirectoryOf = (web: WebName): string => join(directoryOf(web), "dist");
export const stampName = ".stamp";
/** The file of the build output that describes the state of the sources when they last matched the stamp. */
const stateName = ".state";

/** The folders of a web's sources. They contain the shared components, the texts and the contracts. */
const sourcesOf = (web: WebName): readonly string[] => [
  directoryOf(web),
  join(root, "libs", "ui"),
  join(root, "libs", "i18n", "src"),
  join(root, "libs", "contracts", "src"),
];
const notSources =
  /(^|[\\/])(\.[^\\/]*|node_modules|dist|dist-[\d-]+)([\\/]|$)|\.test\.tsx?$|\.md$/;

const listSources = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !notSources.test(path.slice(directory.length)))
    .toSorted();
};

/** Returns a hash of every file in some folders of sources. It does not depend on their times or place. */
export const stampOfSources = async (directories: readonly string[]): Promise<string> => {
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

/** Returns a hash of every file that a web is built from. */
export const stampOf = (web: WebName): Promise<string> => stampOfSources(sourcesOf(web));

/** Returns a hash of the names, sizes and times of change of all sources. Unlike the stamp, it reads no file. */
const stateOfSources = async (directories: readonly string[]): Promise<string> => {
  const hash = createHash("sha256");
  for (const path of (await Promise.all(directories.map(listSources))).flat()) {
    // No program can set the time of the last change of an inode, so every write shows.
    const { size, ctimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${ctimeMs}\0`);
  }
  return hash.digest("hex");
};

/** Returns whether a build output matches the current sources. Reads them only if any has changed since the last match. */
export const matchesSources = async (
  built: string,
  directories: readonly string[],
): Promise<boolean> => {
  const read = (name: string) => readFile(join(built, name), "utf8").catch(() => "");
  const [stamp, savedState] = await Promise.all([read(stampName), read(stateName)]);
  if (stamp === "") return false;
  const state = `${stamp} ${await stateOfSources(directories)}`;
  if (state === savedState) return true;
  if (stamp !== (await stampOfSources(directories))) return false;
  // Another user may own the build output. Its sources are then read at each start.
  await writeFile(join(built, stateName), state).catch(() => {});
  return true;
};

/** Returns whether the build output of a web matches the current sources. */
export const isBuilt = (web: WebName): Promise<boolean> =>
  matchesSources(builtDirectoryOf(web), sourcesOf(web));

/** Returns every word in the sources of a web and of the shared library. */
export const wordsOf = (web: WebName): ReadonlySet<string> =>
  new Set(
    [directoryOf(web), join(root, "libs", "ui")].flatMap((directory) =>
      readdirSync(join(directory, "src"), { recursive: true, encoding: "utf8" })
        .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
        .flatMap((path) => readFileSync(join(directory, "src", path), "utf8").match(/\w+/g) ?? []),
    ),
  );
