import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eachTick } from "./each-tick.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

test("however many ask, one clock runs, tells all of them the same time, and ends with the last", () => {
  const told: Date[] = [];
  const ends = [1, 2, 3].map(() => eachTick((now) => told.push(now)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(30_000);
  expect(told.map((now) => now.getTime())).toEqual([30_000, 30_000, 30_000]);
  ends[0]?.();
  vi.advanceTimersByTime(30_000);
  expect(told).toHaveLength(5);
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
});

test("who asks after the last has gone is told again", () => {
  eachTick(() => {})();
  let count = 0;
  const end = eachTick(() => (count += 1));
  vi.advanceTimersByTime(60_000);
  expect(count).toBe(2);
  end();
});
