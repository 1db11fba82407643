import { readFile, writeFile } from "node:fs/promises";
import type { Machine } from "../../test/bench/harness/machine.ts";
import type { Line } from "../../test/bench/harness/row.ts";

/** What a row of the bench gave when it was last measured. */
export interface Measured {
  name: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Short rounds, whose figures vary more. */
  isQuick: boolean;
  machine: Machine;
  lines: Line[];
  /** Where our side spent its time, the most expensive first; of a row that missed its budget. */
  profile?: string[];
}

const path = "docs/benchmarks.json";

/** What was measured so far. */
export const readResults = async (): Promise<Measured[]> =>
  JSON.parse(await readFile(path, "utf8").catch(() => "[]")) as Measured[]; // as we wrote it

/** Results with some rows measured anew, in the order of `names`; a row that there is no more is left out. */
export const mergeResults = (
  known: readonly Measured[],
  anew: readonly Measured[],
  names: readonly string[],
): Measured[] => {
  const byName = new Map([...known, ...anew].map((row) => [row.name, row] as const));
  return names.flatMap((name) => byName.get(name) ?? []);
};

export const writeResults = (results: readonly Measured[]): Promise<void> =>
  writeFile(path, `${JSON.stringify(results, null, 2)}\n`);
