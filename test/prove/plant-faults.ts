import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { first, second } from "./plants.ts";

// Loaded before a house, by --import: the product itself knows of no fault.

const project = join(import.meta.dirname, "..", "..");
const planted = { first, second }[process.env["LATCHKEY_PLANTS"] ?? ""];
if (!planted) throw new Error("LATCHKEY_PLANTS names no plants");

/** What is to be planted yet, by the address of its file. */
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
      if (source.split(text).length !== 2) throw new Error(`${file} has no one place for: ${name}`);
      source = source.replace(text, () => instead);
    }
    byUrl.delete(url);
    return { ...loaded, source };
  },
});

/** Throws unless all that was to be planted has been. */
export const checkPlanted = (): void => {
  const missed = Array.from(byUrl.values()).flat();
  if (missed.length > 0)
    throw new Error(`never loaded: ${missed.map(({ file }) => file).join(", ")}`);
};
