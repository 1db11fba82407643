import { parseArgs } from "node:util";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run properties [-- --runs 100]: sends random requests to each operation, in each way and with sessions in each store, for up to about
// a minute. Failures are printed with the seed and the path that reproduce them.

const { values } = parseArgs({ options: { runs: { type: "string", default: "100" } } });
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/contract/properties.matrix.test.ts"],
  { PROPERTY_RUNS: values.runs, TEST_MATRIX: "details" },
);
