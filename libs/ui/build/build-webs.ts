import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packFiles } from "./pack-files.ts";
import { replaceFolder } from "./replace-folder.ts";
import {
  builtDirectoryOf,
  directoryOf,
  isBuilt,
  stampName,
  stampOf,
  type WebName,
  webNames,
} from "./web-sources.ts";

export { type WebName, webNames } from "./web-sources.ts";

/** Returns the path of Vite, or undefined if development packages are not installed. */
const findVite = (): string | undefined => {
  try {
    const manifest = createRequire(import.meta.url).resolve("vite/package.json");
    return join(dirname(manifest), "bin", "vite.js");
  } catch {
    return undefined;
  }
};

/** Builds into a temporary folder and then replaces the output, so that no reader sees an incomplete build, even with concurrent builds. */
const buildWith = async (vite: string, web: WebName): Promise<boolean> => {
  const stamp = await stampOf(web);
  const built = builtDirectoryOf(web);
  const outDirectory = `${built}-${process.pid}`;
  try {
    const args = ["build", directoryOf(web), "--outDir", outDirectory, "--logLevel", "warn"];
    // The build is always for production, whatever the environment of the caller.
    const env = { ...process.env, NODE_ENV: "production" };
    const [code] = await once(
      spawn(process.execPath, [vite, ...args], { stdio: "inherit", env }),
      "exit",
    );
    if (code !== 0) return false;
    await packFiles(outDirectory);
    await writeFile(join(outDirectory, stampName), stamp);
    await replaceFolder(outDirectory, built);
    return true;
  } finally {
    await rm(outDirectory, { recursive: true, force: true });
  }
};

/** Builds a web. Returns false if that failed, after Vite has printed the error. */
export const buildWeb = async (web: WebName): Promise<boolean> => {
  const vite = findVite();
  if (vite) return buildWith(vite, web);
  process.stderr.write(`the ${web} web cannot be built: Vite is missing, run npm install\n`);
  return false;
};

/** Builds the webs whose sources have changed, and prints that. If Vite is missing, the existing builds stay. */
export const keepWebsBuilt = async (webs: readonly WebName[] = webNames): Promise<void> => {
  const vite = findVite();
  if (!vite) return;
  for (const web of webs) {
    if (await isBuilt(web)) continue;
    process.stdout.write(`building the ${web} web once (npm run build)\n`);
    if (!(await buildWith(vite, web).catch(() => false)))
      process.stderr.write(`the ${web} web could not be built\n`);
  }
};
