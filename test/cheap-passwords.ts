import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";

/** Password hashing without cost, for tests that are not about passwords. No two hashes are equal, as with real ones. */
export const cheapPasswords = {
  hash: async (text) => `${randomUUID()} ${text}`,
  verify: async ({ hash, password }) => hash.slice(randomUUID().length + 1) === password,
} satisfies NonNullable<LatchkeyConfig["emailAndPassword"]>["password"];

/** Environment that configures services in other processes with cheap passwords and the options of a JSON file. */
export const cheapPasswordsEnvironment = (optionsFile: string): Record<string, string> => ({
  LATCHKEY_CONFIG: join(import.meta.dirname, "cheap-passwords.config.ts"),
  LATCHKEY_OPTIONS: optionsFile,
});
