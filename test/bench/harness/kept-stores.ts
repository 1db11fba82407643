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
    const result = done.get(name) ?? work();
    done.set(name, result);
    return result as Promise<T>; // each name is used with one kind of work
  };
};

/**
 * Keeps the stores of one context at a time, by their number of rows. Consecutive rows often use the same data, and creating a
 * million rows takes longer than measuring them.
 */
export const createStoreKeeper = (open: () => Promise<Opened>) => {
  let context = "";
  const storesByCount = new Map<number, { stores: KeptStores; remove(): Promise<void> }>();
  const removeAll = async () => {
    const removed = [...storesByCount.values()];
    storesByCount.clear();
    for (const { remove } of removed) await remove();
  };
  return {
    keep: async (newContext: string, count: number): Promise<KeptStores> => {
      if (newContext !== context) await removeAll();
      context = newContext;
      const existing = storesByCount.get(count);
      if (existing) return existing.stores;
      const { stores, remove } = await open();
      const made = { stores: { ...stores, once: createOnce() }, remove };
      storesByCount.set(count, made);
      return made.stores;
    },
    removeAll,
  };
};
