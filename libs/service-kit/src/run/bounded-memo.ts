/** Keeps the latest of what was put in, by text, within bounds of count and size. */
export interface BoundedMemo<Entry> {
  get(key: string): Entry | undefined;
  /** `characters` is the size of the entry; that of the key is added to it. */
  set(key: string, value: { entry: Entry; characters: number }): void;
}

/** The text in memory of its own: a part of a longer one would keep all of that. */
export const detached = (text: string): string => Buffer.from(text).toString();

/** What was put in first goes first. */
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
