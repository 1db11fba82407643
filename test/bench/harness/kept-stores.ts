import type { Stores } from "./open-stores.ts";

/** Stores with many rows, shared by several rows of the table. */
export interface KeptStores extends Stores {
  /** Calls `work` on the first call with this name and returns the same result afterwards. */
  once<T>(name: string, work: () => Promise<T>): Promise<T>;
}

interface Opened {
  stores: Stores;
  remove(): Promise<void>;
}

const createOnce = (): KeptStores["once"] => {
  const done = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>) => {
    const known = done.get(name) ?? work();
    done.set(name, known);
    return known as Promise<T>; // each name is used with one kind of work
  };
};

/**
 * Keeps the stores of one context at a time, by their number of rows. Consecutive rows often use the same data, and creating a
 * million rows takes longer than measuring them.
 */
export const createStoreKeeper = (open: () => Promise<Opened>) => {
  let context = "";
  const kept = new Map<number, { stores: KeptStores; remove(): Promise<void> }>();
  const removeAll = async () => {
    const removed = [...kept.values()];
    kept.clear();
    for (const { remove } of removed) await remove();
  };
  return {
    keep: async (of: string, count: number): Promise<KeptStores> => {
      if (of !== context) await removeAll();
      context = of;
      const known = kept.get(count);
      if (known) return known.stores;
      const { stores, remove } = await open();
      const made = { stores: { ...stores, once: createOnce() }, remove };
      kept.set(count, made);
      return made.stores;
    },
    removeAll,
  };
};
