import type { Servers } from "../house/open-house.ts";

export type Storage = "memory" | "secondary-storage" | "database";

export interface FloodOptions {
  servers: Servers;
  storage: Storage;
  addresses: number;
  /** Whether costs are compared, which says something from some ten thousand addresses on. */
  judgesCost: boolean;
  say: (text: string) => void;
}

/** How things stood when so many addresses had asked. */
export interface Mark {
  addresses: number;
  cpuSeconds: number;
  storeCpuSeconds: number;
  heapMegabytes: number;
  residentMegabytes: number;
}

/** What was seen of the addresses whose limit is known. */
export interface Known {
  /** Had used up its limit before the flood: how often it was let in during it. */
  spentLetIn: number;
  spentAsked: number;
  /** One network of IPv6, by an address of its own each time, spent before the flood. */
  networkLetIn: number;
  /** Asks now and then, twice as often as it may. */
  thriftyLetIn: number;
}

/** Everything that a verdict is made of. */
export interface Flooded extends Pick<FloodOptions, "addresses" | "storage" | "judgesCost"> {
  marks: readonly Mark[];
  letIn: number;
  refused: number;
  other: number;
  known: Known;
  /** Whether the gateway said that its store failed, so that for a while limits held by its own memory. */
  fellBack: boolean;
  immortalKeys: number;
  /** Rows of windows that were over and that no sweep took. */
  rowsLeft: number;
}

/** The default rule, in a window that outlasts the flood. */
export const rule = { window: 3_600, max: 100 };
