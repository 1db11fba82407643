import { parseArgs } from "node:util";
import { runCommand } from "./run-command.ts";

// npm run model [-- --runs 500] [--only <sessions | members | limits>]: the model-based tests for as long as one likes; each prints
// what it did, and by which seed. SEED, FC_PATH and FC_REPLAY_PATH lead to a run that failed.

const { values } = parseArgs({
  options: { runs: { type: "string", default: "100" }, only: { type: "string" } },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new TypeError("--runs takes a whole number");
const only = values.only === undefined ? [] : ["--testNamePattern", values.only];
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/model", ...only],
  { MODEL_RUNS: values.runs },
);
