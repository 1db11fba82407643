import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { first, second } from "./plants.ts";

// Loaded before a system with --import. The product itself contains no faults.

const project = join(import.meta.dirname, "..", "..", "..");
const planted = { first, second }[process.env["LATCHKEY_PLANTS"] ?? ""];
if (!planted) throw new Error("LATCHKEY_PLANTS must name a set of faults");

/** The faults that are not planted yet, by the URL of their file. */
const byUrl = Map.groupBy(planted, ({ file }) => pathToFileURL(join(project, file)).href);

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const plants = byUrl.get(url);
    if (!plants) return loaded;
    let source =
      typeof loaded.source === "string"
        ? loaded.source
        : Buffer.from(loaded.source as Uint8Array).toString();
    for (const { name, file, text, instead } of plants) {
      // A plant that finds no place, or two, would prove nothing.
      if (source.split(text).length !== 2)
        throw new Error(`${file} must contain the text of this fault exactly once: ${name}`);
      source = source.replace(text, () => instead);
    }
    byUrl.delete(url);
    return { ...loaded, source };
  },
});

/** Throws unless every fault has been planted. */
export const checkPlanted = (): void => {
  const missed = Array.from(byUrl.values()).flat();
  if (missed.length > 0)
    throw new Error(`never loaded: ${missed.map(({ file }) => file).join(", ")}`);
};
