import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { promoteMisdated } from "./promote-misdated.ts";

const hour = 3_600_000;
const lookMilliseconds = 100;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns whether one look promotes a job. The times are differences to the clock of this process. */
const isPromoted = async ({ startedIn, storeIs }: { startedIn: number; storeIs: number }) => {
  const promote = vi.fn(async () => {});
  const job = { id: "m1", processedOn: Date.now() + startedIn, promote };
  const stop = promoteMisdated({
    store: { now: async () => Date.now() + storeIs },
    queue: "mails",
    openQueue: async () => ({ getJobs: async () => [job as never] }),
    lookMilliseconds,
    logger: createLogger({ service: "test", level: "silent" }),
  });
  await vi.advanceTimersByTimeAsync(lookMilliseconds);
  stop();
  return promote.mock.calls.length > 0;
};

test("promotes a job that a process with a fast clock has delayed", async () => {
  expect(await isPromoted({ startedIn: hour, storeIs: 0 })).toBe(true);
});

/** Otherwise one process with a slow clock would use up the attempts of every message. */
test.each([
  ["this process has a slow clock", { startedIn: hour, storeIs: hour }],
  ["the store has a slow clock", { startedIn: 0, storeIs: -hour }],
])("leaves a job to its delay if %s", async (_case, clocks) => {
  expect(await isPromoted(clocks)).toBe(false);
});
