import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { runStorm } from "./storm/run-storm.ts";

const { SEED, STORM_ROUNDS, STORM_ONLY } = process.env;
const stormMilliseconds = 900_000;
const roundMilliseconds = 1_200_000;

/**
 * `SEED` repeats the order of the faults. `STORM_ROUNDS` applies every fault that many times instead of one fault of each kind.
 */
test(
  "no fault loses or repeats an acknowledged change, and the system recovers by itself",
  async () => {
    const violations = await runStorm({
      seed: SEED === undefined ? randomInt(2 ** 31) : Number(SEED),
      rounds: Number(STORM_ROUNDS ?? 0),
      only: STORM_ONLY ?? "",
      say: (line) => process.stdout.write(`${line}\n`),
    });
    expect(violations).toEqual([]);
  },
  stormMilliseconds + Number(STORM_ROUNDS ?? 0) * roundMilliseconds,
);
