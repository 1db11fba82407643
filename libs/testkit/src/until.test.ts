import { expect, test } from "vitest";
import { until } from "./until.ts";

test("resolves with the first truthy value", async () => {
  let calls = 0;
  expect(await until(() => (++calls === 3 ? "third" : undefined), { intervalMs: 1 })).toBe("third");
  expect(calls).toBe(3);
});

test("calls a condition again that throws at first", async () => {
  let calls = 0;
  const condition = () => {
    if (++calls < 3) throw new Error("not yet");
    return calls;
  };
  expect(await until(condition, { intervalMs: 1 })).toBe(3);
});

test("the error at the deadline names the condition and the last value", async () => {
  await expect(
    until(() => 0, { timeoutMs: 30, intervalMs: 5, describe: "the mail" }),
  ).rejects.toThrow("Waited in vain for the mail (30 ms); last value: 0");
});

test("the last error is the cause at the deadline", async () => {
  const cause = new Error("refused");
  await expect(
    until(() => Promise.reject(cause), { timeoutMs: 30, intervalMs: 5 }),
  ).rejects.toMatchObject({
    cause,
    message: expect.stringContaining("last error: Error: refused"),
  });
});

test("a condition that never settles does not outlast the deadline", async () => {
  const startedAt = performance.now();
  await expect(
    until(() => new Promise<boolean>(() => undefined), { timeoutMs: 50 }),
  ).rejects.toThrow("Waited in vain");
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
