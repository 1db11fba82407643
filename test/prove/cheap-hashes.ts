import type { LatchkeyConfig } from "@latchkey/contracts";

/** Where passwords are not in question, they cost nothing. */
export const cheapHashes: LatchkeyConfig = {
  emailAndPassword: {
    password: {
      hash: async (text) => `test ${text}`,
      verify: async ({ hash, password }) => hash === `test ${password}`,
    },
  },
};
