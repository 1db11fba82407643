import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { serviceNames } from "@latchkey/contracts";
import { bundlePrograms } from "./bundle-programs.ts";

// Builds the bundle that `npm start` runs. Its launcher calls this if the sources have changed.

const programs = [
  "apps/all-in-one/src/start.ts",
  ...serviceNames.map((service) => `services/${service}/src/main.ts`),
];
const root = join(import.meta.dirname, "..", "..", "..", "..");
const folder = join(root, "node_modules", ".cache", "programs");
const manifest = join(folder, "programs.json");
/** npm writes this file last. It stands for all packages. */
const packages = join("node_modules", ".package-lock.json");

const keptMilliseconds = 600_000;

const isPackage = (path: string): boolean => path.split(/[\\/]/).includes("node_modules");

/** Returns the paths of everything that the bundle depends on: our modules, the exports of our workspaces, and all packages. */
const sourcesOf = (modules: readonly string[]): string[] => {
  const own = modules
    .filter((id) => id.startsWith(root))
    .map((id) => relative(root, id))
    .filter((path) => !isPackage(path));
  const workspaces = own.map((path) => join(...path.split(/[\\/]/).slice(0, 2), "package.json"));
  return [...new Set([...own, ...workspaces, packages])];
};

/** Removes earlier bundles. Keeps the last one, whose process may still load a chunk, and those of concurrent builds. */
const removeEarlier = async (kept: readonly string[]): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (kept.includes(name) || Date.now() - mtimeMs < keptMilliseconds) continue;
    await rm(path, { recursive: true, force: true });
  }
};

const readFolder = async (): Promise<string> => {
  try {
    return (JSON.parse(await readFile(manifest, "utf8")) as { bundle: string }).bundle;
  } catch {
    return "";
  }
};

const build = async (): Promise<void> => {
  const begun = Date.now();
  const id = randomBytes(8).toString("hex");
  await mkdir(folder, { recursive: true });
  const modules = await bundlePrograms({
    system: root,
    programs,
    folder: join(folder, id),
    // Stack traces name the source.
    output: {
      entryFileNames: ({ name }) => `${name.replaceAll("/", "-")}.mjs`,
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  });
  const sources = sourcesOf(modules).map((path) => {
    const { size, ctimeMs } = statSync(join(root, path));
    if (ctimeMs >= begun) throw new Error(`${path} has changed during the build`);
    return [path, size, ctimeMs];
  });
  const earlier = await readFolder();
  // The manifest gets its name last, so that no start finds an incomplete bundle.
  const fresh = `${manifest}-${id}`;
  await writeFile(fresh, JSON.stringify({ bundle: id, sources }));
  await rename(fresh, manifest);
  await removeEarlier([id, earlier, "programs.json"]);
};

await build();
