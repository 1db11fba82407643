import { expect, test } from "vitest";
import { createRevisionSignal } from "./revision-records.ts";

const long = 60_000;

test("wakes all waiters, and only for changes after they began to wait", async () => {
  const signal = createRevisionSignal();
  signal.wake();
  const woken = Promise.all([signal.next(long), signal.next(long)]);
  signal.wake();
  expect(await woken).toEqual([true, true]);
  const again = signal.next(1);
  expect(await again).toBe(false);
});

test("lets a woken waiter wait again at once", async () => {
  const signal = createRevisionSignal();
  const twice = signal.next(long).then(() => signal.next(long));
  signal.wake();
  await Promise.resolve();
  signal.wake();
  expect(await twice).toBe(true);
});
