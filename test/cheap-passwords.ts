import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { LatchkeyConfig } from "@latchkey/contracts";

/** Passwords where they are not in question: at no cost, and no two hashes are alike, as with real ones. */
export const cheapPasswords = {
  hash: async (text) => `${randomUUID()} ${text}`,
  verify: async ({ hash, password }) => hash.slice(randomUUID().length + 1) === password,
} satisfies NonNullable<LatchkeyConfig["emailAndPassword"]>["password"];

/** What configures services in processes of their own so: with the options of a JSON file besides. */
export const cheapPasswordsEnvironment = (optionsFile: string): Record<string, string> => ({
  LATCHKEY_CONFIG: join(import.meta.dirname, "cheap-passwords.config.ts"),
  LATCHKEY_OPTIONS: optionsFile,
});
