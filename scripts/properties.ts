import { parseArgs } from "node:util";
import { runCommand } from "./run-command.ts";

// npm run properties [-- --runs 100]: so many requests by chance to each operation, in each way and with sessions in each store, for
// most of a minute at the longest. What fails is printed with the seed and the path that lead to it again.

const { values } = parseArgs({ options: { runs: { type: "string", default: "100" } } });
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/contract/properties.test.ts"],
  { PROPERTY_RUNS: values.runs },
);
