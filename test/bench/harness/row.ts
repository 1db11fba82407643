import type { Bench } from "./bench.ts";

/**
 * The value of a line to draw: a share of the floor's throughput, a multiple of the CPU time of get-session, a ratio of many rows to few,
 * a multiple of the peer's throughput, or of that of one replica.
 */
export interface Bar {
  kind: "floor" | "session" | "growth" | "peer" | "replicas";
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
  /** Set if the floor is another product: whether that is better. */
  peerIsBetter?: boolean;
}

/** A code path to measure, which may return several lines. */
export interface Row {
  name: string;
  measure(bench: Bench): Promise<Line[]>;
}
