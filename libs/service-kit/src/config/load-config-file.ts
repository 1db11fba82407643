import { access, readFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError } from "./configuration-error.ts";
import type { Environment } from "./environment.ts";

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Lets modules outside the installation import `@latchkey/contracts` and the other packages of Latchkey, which Node finds only from folders
 * below the installation. A package that Node finds there takes precedence. The hook remains for imports that a function makes later.
 */
const resolveOwnPackages = (): void => {
  registerHooks({
    resolve: (specifier, context, next) => {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!specifier.startsWith("@latchkey/")) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
};

const importModule = (path: string): Promise<{ default?: unknown }> => {
  resolveOwnPackages();
  return import(pathToFileURL(path).href);
};

const read = async (path: string): Promise<object> => {
  const value: unknown = path.endsWith(".json")
    ? JSON.parse(await readFile(path, "utf8"))
    : (await importModule(path)).default;
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
