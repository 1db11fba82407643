import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../libs/testkit/src/run-command.ts";

/** The libraries that applications install. */
export const publishedLibraries = ["server", "react"] as const;
type PublishedLibrary = (typeof publishedLibraries)[number];

const folderOf = (name: PublishedLibrary) => join(import.meta.dirname, "..", "libs", name);

/** Runs npm offline, because a build needs nothing from a registry. */
const runNpm = async (name: PublishedLibrary, args: readonly string[]): Promise<boolean> =>
  (await runCommand("npm", ["--prefix", folderOf(name), "--offline", "--silent", ...args])) === 0;

/** Builds a library into an empty `dist`. Returns false if that failed. */
const buildLibrary = async (name: PublishedLibrary): Promise<boolean> => {
  await rm(join(folderOf(name), "dist"), { recursive: true, force: true });
  return runNpm(name, ["run", "build"]);
};

/** Builds a library and packs it into a folder. Returns the path of the archive, or undefined if that failed. */
export const packLibrary = async (
  name: PublishedLibrary,
  folder: string,
): Promise<string | undefined> => {
  const { version } = JSON.parse(await readFile(join(folderOf(name), "package.json"), "utf8")) as {
    version: string;
  };
  await mkdir(folder, { recursive: true });
  if (!(await buildLibrary(name))) return undefined;
  const args = ["pack", folderOf(name), "--ignore-scripts", "--pack-destination", folder];
  return (await runNpm(name, args)) ? join(folder, `latchkey-${name}-${version}.tgz`) : undefined;
};
