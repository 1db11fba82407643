import type { Bench } from "./bench.ts";

/** What can be drawn of a line: by how much it comes near its floor, or what many rows cost more than few. */
export interface Bar {
  kind: "floor" | "growth";
  value: number;
  budget?: number;
}

/** A line of the table. Absolute figures are text: only the ratio, or the figure itself, is held against a budget. */
export interface Line {
  path: string;
  ours: string;
  floor: string;
  ratio: string;
  /** `-` where there is none. */
  budget: string;
  met?: boolean;
  bar?: Bar;
}

/** A path that is measured; one may give several lines. */
export interface Row {
  name: string;
  measure(bench: Bench): Promise<Line[]>;
}
