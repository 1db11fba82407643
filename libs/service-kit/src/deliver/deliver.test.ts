import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWake } from "../background/create-wake.ts";
import { createLogger } from "../observe/logger.ts";
import { type Deliveries, startDeliveries } from "./deliver.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const logger = createLogger({ service: "test", level: "silent" });

const databaseIsDown = () =>
  Object.assign(new Error("the database is down"), { code: "ECONNREFUSED" });

/** Starts deliveries of numbers. All waiting ones are due. */
const start = (count: number, own: Partial<Deliveries<number, number>> = {}) => {
  const waiting = Array.from({ length: count }, (_, index) => index);
  const settled: number[] = [];
  const released: number[] = [];
  const running = startDeliveries(
    { logger, wake: createWake() },
    {
      kind: "test",
      concurrency: 3,
      attemptSeconds: 30,
      claim: async ({ limit }) => waiting.splice(0, limit),
      laneOf: (claimed) => String(claimed % 2),
      attempt: async (claimed) => claimed,
      observe: () => {},
      settle: async (outcomes) => void settled.push(...outcomes),
      release: async (claimed) => void released.push(claimed),
      ...own,
    },
  );
  return { running, settled, released, waiting };
};

/** An attempt that ends when the signal is aborted. */
const hang = (_: number, signal: AbortSignal) =>
  new Promise<number>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });

test("a process has no more attempts than its concurrency, and a claim sees those of each lane", async () => {
  const rooms: object[] = [];
  const due = [0, 1, 2, 3];
  const { running } = start(0, {
    claim: async ({ running: lanes, limit, leaseSeconds }) => {
      rooms.push({ lanes: Object.fromEntries(lanes), limit, leaseSeconds });
      return due.splice(0, Math.min(2, limit));
    },
    attempt: hang,
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(rooms).toEqual([
    { lanes: {}, limit: 3, leaseSeconds: 90 },
    { lanes: { 0: 1, 1: 1 }, limit: 1, leaseSeconds: 90 },
  ]);
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
});

test("outcomes are recorded once the database is back", async () => {
  const settle = vi.fn<(outcomes: readonly number[]) => Promise<void>>();
  settle.mockRejectedValueOnce(databaseIsDown()).mockResolvedValue();
  const { running } = start(2, { settle });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(settle.mock.lastCall).toEqual([[0, 1]]);
  await running.stop();
});

test("while outcomes cannot be recorded, nothing is claimed and none is dropped", async () => {
  const settle = vi.fn<(outcomes: readonly number[]) => Promise<void>>();
  settle.mockRejectedValue(databaseIsDown());
  const { running, waiting } = start(4, { settle, concurrency: 3, attemptSeconds: 1 });
  await vi.advanceTimersByTimeAsync(300_000);
  expect(waiting).toEqual([3]);
  settle.mockResolvedValue();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(settle).toHaveBeenCalledWith([0, 1, 2]);
  expect(waiting).toEqual([]);
  await running.stop();
});

test("nothing is claimed while outcomes of a part of the attempts cannot be recorded", async () => {
  const settle = vi.fn(() => Promise.reject(databaseIsDown()));
  const { running, waiting } = start(1, { settle });
  await vi.advanceTimersByTimeAsync(2_000);
  waiting.push(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(waiting).toEqual([1]);
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
});

test("an outcome that the database refuses holds up neither others nor claims", async () => {
  const settled: number[] = [];
  const settle = async (outcomes: readonly number[]) => {
    if (outcomes.includes(1)) throw new Error("invalid byte sequence");
    settled.push(...outcomes);
  };
  const { running, waiting } = start(5, { settle });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(settled.toSorted()).toEqual([0, 2, 3, 4]);
  expect(waiting).toEqual([]);
  await running.stop();
});

test("an outcome that a stop drops has no consequences", async () => {
  const onSettled = vi.fn(async () => {});
  const settle = () => Promise.reject(databaseIsDown());
  const { running } = start(1, { settle, onSettled });
  await vi.advanceTimersByTimeAsync(0);
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
  expect(onSettled).not.toHaveBeenCalled();
});

test("a stop lets attempts finish for a while, then interrupts them and ends their leases", async () => {
  const { running, released } = start(2, { attempt: hang });
  await vi.advanceTimersByTimeAsync(0);
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(5_900);
  expect(released).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  await stopped;
  expect(released).toEqual([0, 1]);
});

test("a stop does not wait for an attempt that cannot be interrupted", async () => {
  const { running, released } = start(1, { attempt: () => new Promise(() => {}) });
  await vi.advanceTimersByTimeAsync(0);
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(7_000);
  await stopped;
  expect(released).toEqual([]);
});
