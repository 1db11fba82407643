import { type Backends, startBackends } from "../../../libs/testkit/src/backends.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { createStoreKeeper, type KeptStores } from "./kept-stores.ts";
import { openStores, type Stores } from "./open-stores.ts";

export interface BenchOptions {
  warmUpSeconds: number;
  roundSeconds: number;
  rounds: number;
  connections: number;
  /** Takes CPU profiles; what is measured meanwhile says little. */
  profile: boolean;
}

/** What rows measure with. */
export interface Bench {
  options: BenchOptions;
  say: (text: string) => void;
  /** Gives `work` stores of its own and removes them after it. */
  withStores<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  /** Stores for so many rows, the same ones until another ground is asked for. */
  keepStores(ground: string, count: number): Promise<KeptStores>;
  /** What everything is measured on. */
  machine(): Promise<Machine>;
  /** The most expensive functions of the profiles that were taken, ours alone. */
  profiled: string[];
  stop(): Promise<void>;
}

/** Backends start with the first row that wants them. */
export const createBench = (options: BenchOptions, say: (text: string) => void): Bench => {
  let backends: Promise<Backends> | undefined;
  const ready = () => (backends ??= startBackends());
  const open = async () => openStores(await ready());
  const keeper = createStoreKeeper(open);
  return {
    options,
    say,
    withStores: async (work) => {
      const { stores, remove } = await open();
      try {
        return await work(stores);
      } finally {
        await remove();
      }
    },
    keepStores: keeper.keep,
    machine: async () => describeMachine(await ready()),
    profiled: [],
    stop: async () => {
      await keeper.removeAll();
      await (await backends)?.stop();
    },
  };
};
