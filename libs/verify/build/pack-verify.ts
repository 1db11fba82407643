import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../testkit/src/run-command.ts";

const source = join(import.meta.dirname, "..");

/** Runs npm offline, because the package needs nothing from a registry. */
const runNpm = async (args: readonly string[]): Promise<boolean> =>
  (await runCommand("npm", ["--prefix", source, "--offline", "--silent", ...args])) === 0;

/** Builds @latchkey/verify into an empty `dist`. Returns false if that failed. */
export const buildVerify = async (): Promise<boolean> => {
  await rm(join(source, "dist"), { recursive: true, force: true });
  return runNpm(["run", "build"]);
};

/** Builds the package and packs it into a folder. Returns the path of the archive, or undefined if that failed. */
export const packVerify = async (folder: string): Promise<string | undefined> => {
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as {
    version: string;
  };
  await mkdir(folder, { recursive: true });
  if (!(await buildVerify())) return undefined;
  const packed = await runNpm(["pack", source, "--ignore-scripts", "--pack-destination", folder]);
  return packed ? join(folder, `latchkey-verify-${version}.tgz`) : undefined;
};
