import { defineConfig } from "vitest/config";

/** Three projects by what they need: nothing, a store, or the whole running system. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{libs,services}/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
          // Some hash passwords, beside everything else that runs.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "store",
          include: ["{libs,services}/*/src/**/*.db.test.ts"],
          globalSetup: ["libs/testkit/src/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The package is built where it is published; here its source is run.
        resolve: {
          alias: { "@latchkey/verify": `${import.meta.dirname}/libs/verify/src/index.ts` },
        },
        test: {
          name: "system",
          include: ["test/**/*.test.ts"],
          globalSetup: ["libs/testkit/src/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
