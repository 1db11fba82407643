import { parseArgs } from "node:util";
import { runCommand } from "../libs/testkit/src/run-command.ts";

// npm run storm [-- --rounds N] [--seed S] [--only <part of names>]: injects every fault several times, in an order that the seed decides.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1" },
    seed: { type: "string" },
    only: { type: "string", default: "" },
  },
});
process.exitCode = await runCommand(
  "vitest",
  ["run", "--project", "system", "test/reliability/failure/storm.long.test.ts"],
  {
    TEST_MATRIX: "long",
    STORM_ROUNDS: values.rounds,
    STORM_ONLY: values.only,
    ...(values.seed && { SEED: values.seed }),
  },
);
