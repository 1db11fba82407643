import { type Backends, startBackends } from "../../../libs/testkit/src/backends.ts";
import { describeMachine, type Machine } from "./machine.ts";
import { createStoreKeeper, type KeptStores } from "./kept-stores.ts";
import { openStores, type Stores } from "./open-stores.ts";

export interface BenchOptions {
  warmUpSeconds: number;
  roundSeconds: number;
  rounds: number;
  connections: number;
  /** Takes CPU profiles. Measurements taken meanwhile are unreliable. */
  profile: boolean;
  /** Whether to measure a path, in rows that measure each of a table of paths. */
  measures: (path: string) => boolean;
}

/** Tools for the rows. */
export interface Bench {
  options: BenchOptions;
  say: (text: string) => void;
  /** Calls `work` with new stores and removes them afterwards. */
  withStores<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  /** Returns stores with this number of rows. The same stores are reused until another context is requested. */
  keepStores(context: string, count: number): Promise<KeptStores>;
  /** Description of the machine. */
  machine(): Promise<Machine>;
  /** The most expensive functions of the profiles taken, of our own code only. */
  profiled: string[];
  stop(): Promise<void>;
}

/** Backends start with the first row that needs them. */
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

/** Shortens the rounds, so that other load on the machine affects both sides of a row of many paths. */
export const withShortRounds = (bench: Bench): Bench => ({
  ...bench,
  options: { ...bench.options, roundSeconds: 1 },
});

/** Splits the rounds, so that a small difference is not lost in other load on the machine. Takes as long as before. */
export const withManyRounds = (bench: Bench, parts: number): Bench => {
  const { roundSeconds, rounds } = bench.options;
  const options = { roundSeconds: roundSeconds / parts, rounds: rounds * parts };
  return { ...bench, options: { ...bench.options, ...options } };
};
