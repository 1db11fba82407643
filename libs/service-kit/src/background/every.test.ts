import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { every } from "./every.ts";

const silentLogger = createLogger({ service: "test", level: "silent" });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that ends when the test ends it. */
const slowWork = () => {
  const ends: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => void ends.push(resolve)));
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { work, end };
};

test("runs the work periodically, but not while it is running", async () => {
  const { work, end } = slowWork();
  const timer = every(1_000, silentLogger, work);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(work).toHaveBeenCalledTimes(1);
  await end();
  await vi.advanceTimersByTimeAsync(500);
  expect(work).toHaveBeenCalledTimes(2);
  await end();
  await timer.stop();
});

test("runs the work at once when woken, and once more if woken while it runs", async () => {
  const { work, end } = slowWork();
  const timer = every(1_000, silentLogger, work);
  timer.wake();
  expect(work).toHaveBeenCalledTimes(1);
  timer.wake();
  timer.wake();
  expect(work).toHaveBeenCalledTimes(1);
  await end();
  expect(work).toHaveBeenCalledTimes(2);
  await end();
  expect(work).toHaveBeenCalledTimes(2);
  await timer.stop();
});

test("continues after an error", async () => {
  const work = vi.fn(async () => {
    throw new Error("the store is down");
  });
  const timer = every(1_000, silentLogger, work);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work).toHaveBeenCalledTimes(2);
  await timer.stop();
});

test("waits for running work when it stops, and starts no more", async () => {
  const { work, end } = slowWork();
  const timer = every(1_000, silentLogger, work);
  timer.wake();
  timer.wake();
  let isStopped = false;
  const stopped = timer.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isStopped).toBe(false);
  await end();
  await stopped;
  timer.wake();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(work).toHaveBeenCalledTimes(1);
});
