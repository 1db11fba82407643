import { parseArgs } from "node:util";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run model [-- --runs 500] [--only <sessions | members | limits>]: runs the model-based tests for any number of runs. Each prints its
// steps and its seed. SEED, FC_PATH and FC_REPLAY_PATH reproduce a failed run.

const { values } = parseArgs({
  options: { runs: { type: "string", default: "100" }, only: { type: "string" } },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new TypeError("--runs takes a whole number");
const only = values.only === undefined ? [] : ["--testNamePattern", values.only];
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/reliability/model", ...only],
  { MODEL_RUNS: values.runs },
);
