/** Seeded random numbers (mulberry32). */
export interface SeededRandom {
  next(): number;
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    pick: (items) => {
      const picked = items[below(items.length)];
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    shuffled: (items) =>
      items
        .map((item) => [next(), item] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, item]) => item),
  };
};
