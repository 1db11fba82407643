/** Choices that a seed decides, so that a run can be had again. */
export interface Chance {
  /** From 0 up to below `limit`. */
  below(limit: number): number;
  /** Whether one of so many times. */
  oneIn(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** The generator called mulberry32. */
export const createChance = (seed: number): Chance => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (list) => list[below(list.length)] as (typeof list)[number], // no list is empty
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
};
