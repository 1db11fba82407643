import type { Bench } from "./bench.ts";

/** The value of a line to draw: its share of the floor, its CPU time by that of get-session, or the ratio of many rows to few. */
export interface Bar {
  kind: "floor" | "session" | "growth";
  value: number;
  budget?: number;
}

/** A line of the table. Absolute values are text: only the ratio, or the value itself, is compared with a budget. */
export interface Line {
  path: string;
  ours: string;
  floor: string;
  ratio: string;
  /** `-` if there is no budget. */
  budget: string;
  met?: boolean;
  bar?: Bar;
}

/** A code path to measure, which may return several lines. */
export interface Row {
  name: string;
  measure(bench: Bench): Promise<Line[]>;
}
