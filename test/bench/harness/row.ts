import type { Bench } from "./bench.ts";

/** A line of the table. Absolute figures are text: only the ratio, or the figure itself, is held against a budget. */
export interface Line {
  path: string;
  ours: string;
  floor: string;
  ratio: string;
  /** `-` where there is none. */
  budget: string;
  met?: boolean;
}

/** A path that is measured; one may give several lines. */
export interface Row {
  name: string;
  measure(bench: Bench): Promise<Line[]>;
}
