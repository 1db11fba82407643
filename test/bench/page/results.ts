import { readFile, writeFile } from "node:fs/promises";
import type { Machine } from "../harness/machine.ts";
import type { Line } from "../harness/row.ts";

/** The last result of a row of the bench. */
export interface Measured {
  name: string;
  /** `YYYY-MM-DD`. */
  date: string;
  /** Whether the rounds were short. Their results vary more. */
  isQuick: boolean;
  machine: Machine;
  lines: Line[];
  /** The profile of our side, the most expensive parts first. Present only if the row missed its budget. */
  profile?: string[];
}

const path = "docs/benchmarks.json";

/** Returns all stored results. */
export const readResults = async (): Promise<Measured[]> =>
  JSON.parse(await readFile(path, "utf8").catch(() => "[]")) as Measured[]; // written by this file

/** Merges new results into the stored ones, in the order of `names`. Drops rows that no longer exist. */
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
