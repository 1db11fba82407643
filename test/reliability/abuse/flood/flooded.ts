import type { Servers } from "../system/open-system.ts";

export type Storage = "memory" | "secondary-storage" | "database";

export interface FloodOptions {
  servers: Servers;
  storage: Storage;
  addresses: number;
  /** Whether to judge costs. The comparison is meaningful from some ten thousand addresses on. */
  judgesCost: boolean;
  say: (text: string) => void;
}

/** Measurements taken after this number of addresses has sent a request. */
export interface Mark {
  addresses: number;
  cpuSeconds: number;
  storeCpuSeconds: number;
  heapMegabytes: number;
  residentMegabytes: number;
}

/** Counts for the addresses whose remaining limit is known. */
export interface Known {
  /** Requests allowed during the flood from an address that had used up its limit before. */
  spentLetIn: number;
  spentAsked: number;
  /**
   * Requests allowed from one IPv6 network that had used up its limit before the flood. Each uses another address of the network.
   */
  networkLetIn: number;
  /** Requests allowed from an address that sends twice as many as its limit, spread over the flood. */
  thriftyLetIn: number;
}

/** All inputs of the verdicts. */
export interface Flooded extends Pick<FloodOptions, "addresses" | "storage" | "judgesCost"> {
  marks: readonly Mark[];
  letIn: number;
  refused: number;
  other: number;
  probes: Known;
  /** Whether the gateway logged that its store failed. Its own memory then enforces the limits for a while. */
  fellBack: boolean;
  immortalKeys: number;
  /** Rows of expired windows that no sweep deleted. */
  rowsLeft: number;
}

/** The default limit, in a window that is longer than the flood. */
export const rule = { window: 3_600, max: 100 };
