import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { cheapPasswords } from "./cheap-passwords.ts";

const cheapFunctions: readonly unknown[] = Object.values(cheapPasswords);

/** Whether other processes can get a configuration: functions cannot be passed, except those of the cheap passwords. */
export const isPassable = (value: unknown): boolean => {
  if (typeof value === "function") return cheapFunctions.includes(value);
  if (typeof value !== "object" || value === null) return true;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every(isPassable);
};

/** Writes a configuration into a folder. Returns the environment in which a process reads it. */
export const writeConfig = async (
  folder: string,
  config: LatchkeyConfig,
): Promise<Record<string, string>> => {
  const file = join(folder, "config.json");
  await writeFile(file, JSON.stringify(config));
  return config.emailAndPassword?.password?.hash === cheapPasswords.hash
    ? {
        LATCHKEY_CONFIG: join(import.meta.dirname, "cheap-passwords.config.ts"),
        LATCHKEY_OPTIONS: file,
      }
    : { LATCHKEY_CONFIG: file };
};
