import type { Stores } from "./open-stores.ts";

/** Stores with many rows, which several rows of the table ask. */
export interface KeptStores extends Stores {
  /** What `work` gave when it was first asked for by this name. */
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
    return known as Promise<T>; // a name is asked for with one kind of work
  };
};

/**
 * Keeps the stores of one ground at a time, by how many rows they hold: what is asked next often stands on the same
 * rows, and to make a million takes longer than to ask about them.
 */
export const createStoreKeeper = (open: () => Promise<Opened>) => {
  let ground = "";
  const kept = new Map<number, { stores: KeptStores; remove(): Promise<void> }>();
  const removeAll = async () => {
    const removed = [...kept.values()];
    kept.clear();
    for (const { remove } of removed) await remove();
  };
  return {
    keep: async (of: string, count: number): Promise<KeptStores> => {
      if (of !== ground) await removeAll();
      ground = of;
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
