import { readFileSync } from "node:fs";
import type { LatchkeyConfig } from "@latchkey/contracts";

// Passwords that cost nothing, so that what is sent reaches further in a second. The other options come from a file.

const config: LatchkeyConfig = {
  ...(JSON.parse(readFileSync(process.env["LATCHKEY_OPTIONS"] ?? "", "utf8")) as LatchkeyConfig),
  emailAndPassword: {
    password: {
      hash: async (text) => `test ${text}`,
      verify: async ({ hash, password }) => hash === `test ${password}`,
    },
  },
};

export default config;
