import { access, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "./configuration-error.ts";
import type { Environment } from "./environment.ts";

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

const read = async (path: string): Promise<object> => {
  const value: unknown = path.endsWith(".json")
    ? JSON.parse(await readFile(path, "utf8"))
    : ((await import(pathToFileURL(path).href)) as { default?: unknown }).default;
  if (typeof value === "object" && value !== null) return value;
  throw new TypeError("must have the option tree as its default export");
};

/**
 * Returns the option tree of the file that LATCHKEY_CONFIG names, or of `latchkey.config.ts` or `.json` in `directory`. Empty
 * if there is none.
 */
export const loadConfigFile = async (
  environment: Environment,
  directory: string,
): Promise<object> => {
  const named = environment["LATCHKEY_CONFIG"];
  const candidates = named ? [named] : ["latchkey.config.ts", "latchkey.config.json"];
  for (const candidate of candidates) {
    const path = resolve(directory, candidate);
    if (!named && !(await exists(path))) continue;
    try {
      return await read(path);
    } catch (error) {
      throw new ConfigurationError([`${candidate}: ${(error as Error).message}`]);
    }
  }
  return {};
};
