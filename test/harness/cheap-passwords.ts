import { randomUUID } from "node:crypto";
import type { LatchkeyConfig } from "@latchkey/contracts";

/** Password hashing without cost, for tests that are not about passwords. No two hashes are equal, as with real ones. */
export const cheapPasswords = {
  hash: async (text) => `${randomUUID()} ${text}`,
  verify: async ({ hash, password }) => hash.slice(randomUUID().length + 1) === password,
} satisfies NonNullable<LatchkeyConfig["emailAndPassword"]>["password"];
