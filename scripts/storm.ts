import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

// npm run storm [-- --rounds N] [--seed S] [--only <part of names>]: every fault of the storm so many times, in an order that the seed decides.

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1" },
    seed: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const { status } = spawnSync(
  "vitest",
  ["run", "--project", "system", "test/failure/storm.test.ts"],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      STORM_ROUNDS: values.rounds,
      STORM_ONLY: values.only,
      ...(values.seed && { SEED: values.seed }),
    },
  },
);
process.exitCode = status ?? 1;
