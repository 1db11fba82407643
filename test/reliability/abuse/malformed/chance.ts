/** Seeded random choices, so that a run can be repeated. */
export interface Chance {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** True once in `times` calls on average. */
  oneIn(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** The mulberry32 generator. */
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
