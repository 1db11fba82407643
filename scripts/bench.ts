import { parseArgs } from "node:util";
import { type BenchOptions, createBench } from "../test/bench/harness/bench.ts";
import { formatTable } from "../test/bench/harness/print-table.ts";
import type { Line, Row } from "../test/bench/harness/row.ts";
import { rows } from "../test/bench/rows.ts";

// npm run bench [-- --quick] [--only <row>] [--profile <row>]: hot paths against a floor measured in the same run.
// Says whether budgets are met, and fails only when something could not be measured.

const connections = 32;
const thorough = { warmUpSeconds: 4, roundSeconds: 4, rounds: 5, connections };
const quick = { warmUpSeconds: 1, roundSeconds: 1, rounds: 3, connections };

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const readArguments = (): { chosen: readonly Row[]; options: BenchOptions } => {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      profile: { type: "string" },
    },
  });
  const name = values.profile ?? values.only;
  const chosen = rows.filter((row) => name === undefined || row.name === name);
  if (chosen.length === 0)
    throw new TypeError(`no row ${name}; there are ${rows.map((row) => row.name).join(", ")}`);
  const profile = values.profile !== undefined;
  return { chosen, options: { ...(values.quick ? quick : thorough), profile } };
};

const { chosen, options } = readArguments();
const bench = createBench(options, say);
try {
  const lines: Line[] = [];
  for (const row of chosen) {
    say(row.name);
    lines.push(...(await row.measure(bench)));
  }
  say(`\n${formatTable(lines)}`);
} finally {
  await bench.stop();
}
