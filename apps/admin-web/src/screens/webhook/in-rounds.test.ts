import { expect, test } from "vitest";
import { inRounds } from "./in-rounds.ts";

test("continues each round where the last one ended, and sums up", async () => {
  const positions: (number | undefined)[] = [];
  const sum = await inRounds<number>(async (position) => {
    positions.push(position);
    const next = (position ?? 0) + 1;
    return { count: 10, next: next < 3 ? next : undefined };
  });
  expect(sum).toBe(30);
  expect(positions).toEqual([undefined, 1, 2]);
});

test("ends if there is always something left", async () => {
  expect(await inRounds<true>(async () => ({ count: 1, next: true }))).toBe(1000);
});
