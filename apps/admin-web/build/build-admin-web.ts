import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  adminWebDirectory,
  builtDirectory,
  isBuilt,
  stampName,
  stampOfSources,
} from "./admin-web-sources.ts";
import { packFiles } from "./pack-files.ts";
import { replaceFolder } from "./replace-folder.ts";

/** Returns the path of Vite, or undefined if development packages are not installed. */
const findVite = (): string | undefined => {
  try {
    const manifest = createRequire(join(adminWebDirectory, "package.json")).resolve(
      "vite/package.json",
    );
    return join(dirname(manifest), "bin", "vite.js");
  } catch {
    return undefined;
  }
};

/** Builds into a temporary folder and then replaces the output, so that no reader sees an incomplete build, even with concurrent builds. */
const buildWith = async (vite: string): Promise<boolean> => {
  const stamp = await stampOfSources();
  const outDirectory = `${builtDirectory}-${process.pid}`;
  try {
    const args = ["build", adminWebDirectory, "--outDir", outDirectory, "--logLevel", "warn"];
    // The build is always for production, whatever the environment of the caller.
    const env = { ...process.env, NODE_ENV: "production" };
    const [code] = await once(
      spawn(process.execPath, [vite, ...args], { stdio: "inherit", env }),
      "exit",
    );
    if (code !== 0) return false;
    await packFiles(outDirectory);
    await writeFile(join(outDirectory, stampName), stamp);
    await replaceFolder(outDirectory, builtDirectory);
    return true;
  } finally {
    await rm(outDirectory, { recursive: true, force: true });
  }
};

/** Builds the admin web. Returns false if that failed, after Vite has printed the error. */
export const buildAdminWeb = async (): Promise<boolean> => {
  const vite = findVite();
  if (vite) return buildWith(vite);
  process.stderr.write("the admin web cannot be built: Vite is missing, run npm install\n");
  return false;
};

/** Builds the admin web if its sources have changed, and prints that. If Vite is missing, the existing build stays. */
export const keepAdminWebBuilt = async (): Promise<void> => {
  const vite = findVite();
  if (!vite || (await isBuilt())) return;
  process.stdout.write("building the admin web once (npm run build)\n");
  if (!(await buildWith(vite).catch(() => false)))
    process.stderr.write("the admin web could not be built\n");
};
