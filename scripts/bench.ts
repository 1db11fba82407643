import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Bench, type BenchOptions, createBench } from "../test/bench/harness/bench.ts";
import { formatTable } from "../test/bench/harness/print-table.ts";
import type { Line, Row } from "../test/bench/harness/row.ts";
import { peerRows, rows } from "../test/bench/rows.ts";
import { pagesOf } from "../test/bench/page/pages.ts";
import {
  type Measured,
  mergeResults,
  readResults,
  writeResults,
} from "../test/bench/page/results.ts";

// npm run bench [-- --quick] [--only <row>] [--profile <row>] [--path <part>] [--peer] [--write]: measures hot paths against a baseline from
// the same run. Prints whether budgets are met, and fails only if a measurement fails.
// --path: a row with a table of paths measures only those that contain this text.
// --peer: measures the rows beside another product instead.
// --write: replaces the results in the docs.

const connections = 32;
const thorough = { warmUpSeconds: 4, roundSeconds: 4, rounds: 5, connections };
const quick = { warmUpSeconds: 1, roundSeconds: 1, rounds: 3, connections };

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

interface Asked {
  chosen: readonly Row[];
  options: BenchOptions;
  isQuick: boolean;
  writes: boolean;
}

const readArguments = (): Asked => {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      profile: { type: "string" },
      path: { type: "string", default: "" },
      peer: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const profile = values.profile !== undefined;
  if (profile && values.write) throw new TypeError("profiled results are distorted: omit --write");
  if (values.path && values.write) throw new TypeError("rows are written whole: omit --path");
  const name = values.profile ?? values.only;
  const offered = values.peer ? peerRows : rows;
  const chosen = offered.filter((row) => name === undefined || row.name === name);
  if (chosen.length === 0)
    throw new TypeError(
      `unknown row ${name}; choose one of ${offered.map((row) => row.name).join(", ")}`,
    );
  const measures = (path: string) => path.includes(values.path);
  const options = { ...(values.quick ? quick : thorough), profile, measures };
  return { chosen, options, isQuick: values.quick, writes: values.write };
};

/** Profiles a row that missed its budget in a separate short run. */
const profileOf = async (bench: Bench, row: Row, lines: readonly Line[]): Promise<string[]> => {
  const missed = lines.filter(
    ({ met, bar }) => met === false && bar?.kind !== "growth" && bar?.kind !== "replicas",
  );
  if (missed.length === 0) return [];
  const profiled: string[] = [];
  const measures = (name: string) => missed.some(({ path }) => path.startsWith(name));
  const options = { ...quick, profile: true, measures };
  await row.measure({ ...bench, options, profiled, say: () => {} });
  return profiled;
};

const write = async (anew: readonly Measured[]): Promise<void> => {
  const names = [...rows, ...peerRows].map(({ name }) => name);
  const results = mergeResults(await readResults(), anew, names);
  await writeResults(results);
  for (const [path, text] of Object.entries(await pagesOf(results))) await writeFile(path, text);
};

const { chosen, options, isQuick, writes } = readArguments();
const bench = createBench(options, say);
try {
  const measured: Measured[] = [];
  for (const row of chosen) {
    say(row.name);
    const lines = await row.measure(bench);
    const profile = writes ? await profileOf(bench, row, lines) : [];
    measured.push({
      name: row.name,
      date: new Date().toISOString().slice(0, 10),
      isQuick,
      machine: await bench.machine(),
      lines,
      ...(profile.length > 0 && { profile }),
    });
    if (writes) await write(measured);
  }
  say(`\n${formatTable(measured.flatMap(({ lines }) => lines))}`);
} finally {
  await bench.stop();
}
