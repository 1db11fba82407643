/** A cache with text keys that keeps the latest entries within limits of count and size. */
export interface BoundedMemo<Entry> {
  get(key: string): Entry | undefined;
  /** `characters` is the size of the entry. The key's size is added. */
  set(key: string, value: { entry: Entry; characters: number }): void;
}

/** Copies a text, because a substring would keep the whole original in memory. */
export const detached = (text: string): string => Buffer.from(text).toString();

/** Creates a cache that evicts the oldest entries first. */
export const createBoundedMemo = <Entry>({
  entriesMax,
  charactersMax,
}: {
  entriesMax: number;
  charactersMax: number;
}): BoundedMemo<Entry> => {
  const held = new Map<string, { entry: Entry; characters: number }>();
  let characters = 0;

  const forget = (key: string): void => {
    const value = held.get(key);
    if (value && held.delete(key)) characters -= key.length + value.characters;
  };
  return {
    get: (key) => held.get(key)?.entry,
    set: (key, value) => {
      forget(key);
      held.set(detached(key), value);
      characters += key.length + value.characters;
      for (const [oldest] of held) {
        if (held.size <= entriesMax && characters <= charactersMax) return;
        forget(oldest);
      }
    },
  };
};
