import { expect, test } from "vitest";
import { rankTest } from "./rank-test.ts";

const range = (count: number, value: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => value(index));

/** Returns pseudorandom numbers that are the same in every run (Park and Miller). */
const createRandom = (seed: number) => {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
};

test("detects samples that are all larger", () => {
  const { larger, chance } = rankTest(
    range(12, (index) => 70 + index),
    range(12, (index) => 1 + index),
  );
  expect(larger).toBe(1);
  expect(chance).toBeLessThan(0.001);
});

test("does not distinguish equal samples", () => {
  const same = range(20, () => 5);
  expect(rankTest(same, same)).toEqual({ larger: 0.5, chance: expect.closeTo(1, 6) });
});

test("ignores a few outliers of either kind", () => {
  const random = createRandom(7);
  const noisy = (index: number) => (index % 10 === 0 ? 1_000 : 0) + random();
  expect(rankTest(range(60, noisy), range(60, noisy)).chance).toBeGreaterThan(0.01);
});

test("computes probabilities of the normal distribution", () => {
  // Eight samples each: 48 wins of 64 are 1.68 deviations from one half.
  const { chance } = rankTest([3, 4, 6, 9, 10, 11, 12, 13], [0, 1, 2, 3.5, 5, 7, 8, 9.5]);
  expect(chance).toBeCloseTo(0.046, 2);
});

test("distinguishes samples of one kind no more often than the probability says", () => {
  const random = createRandom(11);
  const runs = 2_000;
  const alarms = range(runs, () => rankTest(range(15, random), range(15, random)).chance).filter(
    (chance) => chance < 0.01,
  ).length;
  expect(alarms).toBeLessThan(runs * 0.015);
});

test("reports nothing for empty samples", () => {
  expect(rankTest([], [1])).toEqual({ larger: 0.5, chance: 1 });
});
