import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eachTick } from "./each-tick.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

test("runs one clock for all listeners, passes them the same time, and stops it with the last one", () => {
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

test("starts again for a listener that comes after the last one has left", () => {
  eachTick(() => {})();
  let count = 0;
  const end = eachTick(() => (count += 1));
  vi.advanceTimersByTime(60_000);
  expect(count).toBe(2);
  end();
});
