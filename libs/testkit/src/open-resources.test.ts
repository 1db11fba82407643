import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { openResources } from "./open-resources.ts";
import { until } from "./until.ts";

test("a running timer counts, a cleared or unreferenced one does not", async () => {
  // The runner's own timers come and go: only a lasting increase is a leak.
  await until(() => count("Timeout") <= 1, { intervalMs: 150 });
  const timers = [1, 2, 3].map(() => setInterval(() => undefined, 1_000));
  expect(count("Timeout")).toBeGreaterThanOrEqual(3);
  timers.forEach((timer) => clearInterval(timer));
  setInterval(() => undefined, 1_000).unref();
  expect(count("Timeout")).toBeLessThan(3);
});

test("a worker counts until it has ended", async () => {
  const worker = new Worker("setInterval(() => undefined, 1000)", { eval: true });
  await until(() => count("Worker") === 1);
  await worker.terminate();
  expect(count("Worker")).toBe(0);
});

function count(kind: string): number {
  return openResources().get(kind) ?? 0;
}
