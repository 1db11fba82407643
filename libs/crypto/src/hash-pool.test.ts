import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHashPool, HashPoolFullError, type HashPool } from "./hash-pool.ts";

/** A job that ends on command, so that no test waits for time to pass. */
function heldJob(pool: HashPool) {
  const gate = Promise.withResolvers<void>();
  const done = pool.run(() => gate.promise);
  return { done, end: () => gate.resolve() };
}

async function retryAfter(pool: HashPool): Promise<number> {
  const error = await pool.run(async () => {}).catch((reason: unknown) => reason);
  if (!(error instanceof HashPoolFullError)) throw new Error("the pool was not full");
  return error.retryAfterSeconds;
}

test("runs at most the given number of jobs at once and loses none, whatever their order and outcome", async () => {
  const jobs = fc.array(fc.constantFrom("value", "rejection", "throw"), { maxLength: 60 });
  const concurrency = fc.integer({ min: 1, max: 5 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), jobs, concurrency, async (scheduler, kinds, limit) => {
      const pool = createHashPool({ concurrency: limit, queueMax: kinds.length });
      const order: number[] = [];
      let active = 0;
      const results = kinds.map((kind, index) =>
        pool.run(() => {
          order.push(index);
          if (kind === "throw") throw new Error(`job ${index}`);
          active += 1;
          expect(active).toBeLessThanOrEqual(limit);
          return scheduler.schedule(Promise.resolve()).then(() => {
            active -= 1;
            if (kind === "rejection") throw new Error(`job ${index}`);
            return index;
          });
        }),
      );
      const settled = Promise.allSettled(results);
      await scheduler.waitFor(settled);
      const outcomes = (await settled).map((one) => one.status === "fulfilled" && one.value);
      expect(outcomes).toEqual(kinds.map((kind, index) => kind === "value" && index));
      expect(order).toEqual(kinds.map((_, index) => index));
      expect(pool.stats()).toEqual({ running: 0, waiting: 0 });
    }),
  );
});

test("starts a job at once if a slot is free, then queues jobs, then rejects them unstarted", async () => {
  const pool = createHashPool({ concurrency: 2, queueMax: 1 });
  const jobs = [heldJob(pool), heldJob(pool), heldJob(pool)];
  expect(pool.stats()).toEqual({ running: 2, waiting: 1 });

  let started = false;
  const refused = pool.run(async () => {
    started = true;
  });
  await expect(refused).rejects.toThrow(HashPoolFullError);
  expect(started).toBe(false);

  for (const job of jobs) job.end();
  await Promise.all(jobs.map((job) => job.done));
  expect(pool.stats()).toEqual({ running: 0, waiting: 0 });
});

test("counts the depth of the queue correctly after many wraps of its buffer", async () => {
  const pool = createHashPool({ concurrency: 1, queueMax: 3 });
  const jobs = [heldJob(pool), heldJob(pool), heldJob(pool), heldJob(pool)];
  for (let round = 0; round < 20; round += 1) {
    await expect(retryAfter(pool)).resolves.toBe(1);
    const [first] = jobs.splice(0, 1);
    first?.end();
    await first?.done;
    jobs.push(heldJob(pool));
    expect(pool.stats()).toEqual({ running: 1, waiting: 3 });
  }
  for (const job of jobs) job.end();
  await Promise.all(jobs.map((job) => job.done));
});

test("a new job does not overtake a queued one", async () => {
  const pool = createHashPool({ concurrency: 1, queueMax: 2 });
  const order: string[] = [];
  const recorder = (name: string) => async () => {
    order.push(name);
  };
  const first = pool.run(recorder("first")).then(() => pool.run(recorder("newcomer")));
  await Promise.all([first, pool.run(recorder("second"))]);
  expect(order).toEqual(["first", "second", "newcomer"]);
});

describe("the retry time", () => {
  test("is one second before any job has ended", async () => {
    const pool = createHashPool({ concurrency: 1, queueMax: 0 });
    const job = heldJob(pool);
    expect(await retryAfter(pool)).toBe(1);
    job.end();
    await job.done;
  });

  test.each([
    { jobSeconds: 0.05, concurrency: 2, queueMax: 4, seconds: 1 },
    { jobSeconds: 2, concurrency: 1, queueMax: 0, seconds: 2 },
    { jobSeconds: 2, concurrency: 1, queueMax: 4, seconds: 10 },
    { jobSeconds: 2, concurrency: 4, queueMax: 4, seconds: 3 },
  ])(
    "follows the job time and the depth of the queue: %j",
    async ({ jobSeconds, seconds, ...limits }) => {
      let now = 0;
      const pool = createHashPool({ ...limits, now: () => now });
      await pool.run(async () => {
        now += jobSeconds * 1000;
      });
      const jobs = Array.from({ length: limits.concurrency + limits.queueMax }, () =>
        heldJob(pool),
      );
      expect(await retryAfter(pool)).toBe(seconds);
      for (const job of jobs) job.end();
      await Promise.all(jobs.map((job) => job.done));
    },
  );
});

test.each([
  { concurrency: 0, queueMax: 1 },
  { concurrency: 1.5, queueMax: 1 },
  { concurrency: Number.POSITIVE_INFINITY, queueMax: 1 },
  { concurrency: 1, queueMax: -1 },
  { concurrency: 1, queueMax: Number.NaN },
])("rejects the limits %j", (limits) => {
  expect(() => createHashPool(limits)).toThrow(RangeError);
});
