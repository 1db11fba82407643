import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { serviceNames } from "@latchkey/contracts";
import { bundlePrograms } from "./bundle-programs.ts";

/** The programs that run from the bundle, by their paths in the source. */
export const bundledPrograms = [
  "apps/all-in-one/src/start.ts",
  ...serviceNames.map((service) => `services/${service}/src/main.ts`),
];

/** Describes the current bundle. */
const manifestName = "programs.json";
/** npm writes this file last. It stands for all packages. */
const packages = join("node_modules", ".package-lock.json");

const keptMilliseconds = 600_000;
/** The clock of a file system may be this far behind. */
const lagMilliseconds = 20;

/** A file that the bundle depends on, with its size and the time of its last change. */
type Source = [path: string, size: number, changedAt: number];

interface Manifest {
  /** The installation, whose paths are in the bundle. */
  root: string;
  /** The folder of the bundle. */
  bundle: string;
  sources: Source[];
}

const isPackage = (path: string): boolean => path.split(/[\\/]/).includes("node_modules");

const fileOf = (program: string): string => `${program.replaceAll("/", "-")}.mjs`;

/**
 * Returns the paths of everything that the bundle depends on, in order: our modules, the exports of our workspaces, and all
 * packages.
 */
const pathsOf = (root: string, modules: readonly string[]): string[] => {
  const own = modules
    .filter((id) => id.startsWith(root))
    .map((id) => relative(root, id))
    .filter((path) => !isPackage(path));
  const workspaces = own.map((path) => join(...path.split(/[\\/]/).slice(0, 2), "package.json"));
  return [...new Set([...own, ...workspaces, packages])].toSorted();
};

const readSource = (root: string, path: string): Source => {
  const { size, ctimeMs } = statSync(join(root, path));
  return [path, size, ctimeMs];
};

const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, manifestName), "utf8")) as Manifest;
  } catch {
    return undefined;
  }
};

/** Returns whether a whole bundle of these sources is current. */
const isCurrent = (
  folder: string,
  manifest: Manifest | undefined,
  { root, sources }: Pick<Manifest, "root" | "sources">,
): boolean =>
  manifest !== undefined &&
  manifest.root === root &&
  JSON.stringify(manifest.sources) === JSON.stringify(sources) &&
  bundledPrograms.every((program) => existsSync(join(folder, manifest.bundle, fileOf(program))));

/** Removes earlier bundles. Keeps the last one, whose process may still load a chunk, and those of concurrent builds. */
const removeEarlier = async (folder: string, kept: readonly string[]): Promise<void> => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (kept.includes(name) || Date.now() - mtimeMs < keptMilliseconds) continue;
    await rm(path, { recursive: true, force: true });
  }
};

/** Writes a bundle into a folder. Returns its sources. Rejects if one of them changes meanwhile. */
const writeBundle = async (root: string, folder: string): Promise<Source[]> => {
  const begun = Date.now();
  const modules = await bundlePrograms({
    system: root,
    programs: bundledPrograms,
    folder,
    // Stack traces name the source.
    output: {
      entryFileNames: ({ name }) => fileOf(name),
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  });
  const sources = pathsOf(root, modules).map((path) => readSource(root, path));
  const changed = sources.find(([, , changedAt]) => changedAt >= begun - lagMilliseconds);
  if (changed) throw new Error(`${changed[0]} has changed during the build`);
  return sources;
};

/**
 * Builds the bundle that `npm start` and single services run, below `root`. If another process has built the same meanwhile, its bundle
 * stays the current one, so that all programs run from one bundle. Rejects if a source changes meanwhile, and leaves nothing then.
 */
export const buildBundle = async (root: string): Promise<void> => {
  const folder = join(root, "node_modules", ".cache", "programs");
  const bundle = randomBytes(8).toString("hex");
  await mkdir(folder, { recursive: true });
  const discard = () => rm(join(folder, bundle), { recursive: true, force: true });
  const sources = await writeBundle(root, join(folder, bundle)).catch(async (error: unknown) => {
    await discard();
    throw error;
  });
  const earlier = await readManifest(folder);
  if (isCurrent(folder, earlier, { root, sources })) return discard();
  // The manifest gets its name last, so that no start finds an incomplete bundle.
  const fresh = join(folder, `${manifestName}-${bundle}`);
  await writeFile(fresh, JSON.stringify({ root, bundle, sources }));
  await rename(fresh, join(folder, manifestName));
  await removeEarlier(folder, [bundle, earlier?.bundle ?? "", manifestName]);
};
