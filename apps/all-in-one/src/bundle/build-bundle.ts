import { createHash, randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
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
const builder = ["build-bundle.ts", "bundle-programs.ts"].map((name) =>
  join(import.meta.dirname, name),
);

/** Programs that were started before an upgrade may still load chunks of these. */
const earlierMax = 4;
/** A younger one may belong to a build that still runs. */
const removeAfterMilliseconds = 600_000;
/** The clock of a file system may be this far behind. */
const lagMilliseconds = 20;

/** A file that the bundle depends on, with its size and the time of its last change. */
type Source = [path: string, size: number, changedAt: number];

const isPackage = (path: string): boolean => path.split(/[\\/]/).includes("node_modules");

const fileOf = (program: string): string => `${program.replaceAll("/", "-")}.mjs`;

/**
 * Returns the paths of everything that the bundle depends on, in order: our modules, the exports of our workspaces, all packages,
 * and the builder.
 */
const pathsOf = (root: string, modules: readonly string[]): string[] => {
  const own = [...modules, ...builder]
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

/** Returns whether a bundle has all programs. Somebody may have removed some. */
const isWhole = (bundle: string): boolean =>
  bundledPrograms.every((program) => existsSync(join(bundle, fileOf(program))));

/** Gives a finished bundle its name. If another process has built the same bundle meanwhile, that one stays. */
const place = async (fresh: string, bundle: string): Promise<void> => {
  try {
    await rename(fresh, bundle);
  } catch {
    if (isWhole(bundle)) return;
    await rm(bundle, { recursive: true, force: true });
    await rename(fresh, bundle);
  }
};

const ageOf = async (path: string): Promise<number> => {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return 0; // another process has removed or renamed it
  }
};

/** Removes all but the last bundles, and what killed builds have left. */
const removeEarlier = async (folder: string, current: string): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name !== current && name !== manifestName);
  const earlier = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), age: await ageOf(join(folder, name)) })),
  );
  const removed = earlier
    .toSorted((a, b) => a.age - b.age)
    .slice(earlierMax)
    .filter(({ age }) => age > removeAfterMilliseconds);
  for (const { path } of removed) await rm(path, { recursive: true, force: true });
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
 * Builds a bundle and makes it the current one. Returns its name. `fresh` and `freshManifest` are temporary paths and are always
 * removed.
 */
const renewBundle = async (
  root: string,
  { folder, fresh, freshManifest }: Record<"folder" | "fresh" | "freshManifest", string>,
): Promise<string> => {
  try {
    const sources = await writeBundle(root, fresh);
    const name = createHash("sha256")
      .update(JSON.stringify([root, sources]))
      .digest("hex");
    await place(fresh, join(folder, name));
    const programs = Object.fromEntries(
      bundledPrograms.map((program) => [program, join(name, fileOf(program))]),
    );
    await writeFile(freshManifest, JSON.stringify({ root, programs, sources }));
    // The manifest gets its place last, so that no start finds an incomplete bundle.
    await rename(freshManifest, join(folder, manifestName));
    return name;
  } finally {
    for (const path of [fresh, freshManifest]) await rm(path, { recursive: true, force: true });
  }
};

/**
 * Builds the bundle that `npm start` and single services run, below `root`. Its name follows from its sources, so all processes that build
 * the same at once end with one bundle. Rejects if a source changes meanwhile, and leaves nothing then.
 */
export const buildBundle = async (root: string): Promise<void> => {
  const folder = join(root, "node_modules", ".cache", "programs");
  await mkdir(folder, { recursive: true });
  // As deep as the bundle, because its source maps name the sources by relative paths.
  const fresh = join(folder, `new-${randomUUID()}`);
  const name = await renewBundle(root, { folder, fresh, freshManifest: `${fresh}.json` });
  await removeEarlier(folder, name);
};
