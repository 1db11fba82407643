import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SpreadWaiting } from "./test/spread-waiting.ts";

const { TEST_MATRIX } = process.env;
/** `npm run test:matrix` also runs the tests that take minutes: `*.long.test.ts`. */
const isLong = TEST_MATRIX === "long";
/** Its part `images` runs the tests that need a Docker engine. */
const withImages = TEST_MATRIX === "images";
/** It also runs the details: `*.matrix.test.ts`, and each `matrixTest` of other files. `npm test` leaves these files out. */
const leftOut = TEST_MATRIX === undefined ? ["**/*.matrix.test.ts", "**/*.matrix.db.test.ts"] : [];

// Hundreds of processes load the same packages, so a shared cache saves compilation.
process.env["NODE_COMPILE_CACHE"] ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

/** Workers allocate much that is short-lived. With little room for it, collecting it costs 7 % of their work. */
const execArgv = ["--min-semi-space-size=32", "--max-semi-space-size=64"];

/** The library is built where it is published; here its source is run. */
const resolve = {
  alias: { "@latchkey/server": `${import.meta.dirname}/libs/server/src/index.ts` },
};

/** One installation in containers for all files, which run one after the other. */
const images = {
  test: {
    name: "images",
    isolate: false,
    fileParallelism: false,
    // After the other project of this part, whose files run side by side.
    sequence: { groupOrder: 1 },
    include: ["test/images/*.test.ts"],
    globalSetup: ["test/images/images-setup.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
};

/**
 * Time limits only end what hangs: a slow or busy machine may take ten times as long as a fast one.
 *
 * Projects by what they need: nothing, a store, the whole running system, or that and a browser. Files share what a worker has
 * loaded: none changes anything that others see, and each has a database and addresses of its own.
 */
export default defineConfig({
  test: {
    // A worker waits for stores, processes and pages half of the time. Long tests load the machine themselves.
    maxWorkers: Math.ceil(availableParallelism() * (isLong ? 1 : 2)),
    sequence: { sequencer: SpreadWaiting },
    projects: [
      ...(withImages ? [images] : []),
      {
        test: {
          name: "unit",
          isolate: false,
          execArgv,
          include: [
            "{libs,services,apps}/*/src/**/*.test.ts",
            "libs/ui/build/**/*.test.ts",
            "{docs,infra,scripts,test/bench}/**/*.test.ts",
          ],
          exclude: ["**/*.db.test.ts", "**/node_modules/**"],
          setupFiles: ["apps/admin-web/test-texts.ts"],
          // Some hash passwords, beside everything else that runs.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "store",
          isolate: false,
          execArgv,
          include: ["{libs,services}/*/src/**/*.db.test.ts"],
          exclude: leftOut,
          globalSetup: ["libs/testkit/src/global-setup.ts"],
          testTimeout: 120_000,
          hookTimeout: 240_000,
        },
      },
      {
        resolve,
        test: {
          name: "system",
          isolate: false,
          execArgv,
          include: [isLong ? "test/**/*.long.test.ts" : "test/**/*.test.ts"],
          exclude: isLong
            ? ["test/{browser,images}/**"]
            : ["test/{bench,browser,images}/**", "test/**/*.long.test.ts", ...leftOut],
          globalSetup: ["libs/testkit/src/global-setup.ts", "test/harness/system-setup.ts"],
          testTimeout: 240_000,
          hookTimeout: 300_000,
        },
      },
      {
        resolve,
        test: {
          name: "browser",
          isolate: false,
          execArgv,
          include: [isLong ? "test/browser/**/*.long.test.ts" : "test/browser/**/*.test.ts"],
          exclude: isLong ? [] : ["test/**/*.long.test.ts", ...leftOut],
          globalSetup: ["libs/testkit/src/global-setup.ts", "test/browser/browser-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // As long as a page waits for what it looks for.
          expect: { poll: { timeout: 45_000 } },
        },
      },
    ],
  },
});
