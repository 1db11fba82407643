import { LRUCache } from "lru-cache";

/** A cache with text keys that evicts the least recently used entries beyond limits of count and size. */
export interface BoundedMemo<Entry> {
  get(key: string): Entry | undefined;
  /** `characters` is the size of the entry. The key's size is added. An entry beyond the limit is not stored. */
  set(key: string, value: { entry: Entry; characters?: number }): void;
}

/** Copies a text, because a substring would keep the whole original in memory. */
export const detached = (text: string): string => Buffer.from(text).toString();

/** Creates a cache that is limited by count, and by size if its entries have different sizes. */
export const createBoundedMemo = <Entry extends object | string | number>({
  entriesMax,
  charactersMax = Number.MAX_SAFE_INTEGER,
}: {
  entriesMax: number;
  charactersMax?: number;
}): BoundedMemo<Entry> => {
  // Creating it reserves memory for all entries and takes up to five milliseconds. So it is created with the first entry.
  let cache: LRUCache<string, Entry> | undefined;
  return {
    get: (key) => cache?.get(key),
    set: (key, { entry, characters = 0 }) => {
      cache ??= new LRUCache<string, Entry>({ max: entriesMax, maxSize: charactersMax });
      cache.set(detached(key), entry, { size: Math.max(1, key.length + characters) });
    },
  };
};
