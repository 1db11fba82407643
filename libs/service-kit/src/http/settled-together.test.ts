import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settledTogether } from "./settled-together.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => {});
const failure = (message = "away") => Promise.reject(new Error(message));

test("returns all results, in order", async () => {
  expect(await settledTogether(["a", "b"].map((text) => Promise.resolve(text)))).toEqual([
    "a",
    "b",
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("leaves out failed parts", async () => {
  expect(await settledTogether([failure(), Promise.resolve("b")])).toEqual([undefined, "b"]);
});

test("leaves out parts that take much longer than the first result", async () => {
  const found = settledTogether([never, Promise.resolve("b")]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await found).toEqual([undefined, "b"]);
});

test("waits for the first result, and for further ones shortly after it", async () => {
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const found = settledTogether([first.promise, second.promise, failure()]);
  await vi.advanceTimersByTimeAsync(1_000);
  first.resolve("a");
  await vi.advanceTimersByTimeAsync(99);
  second.resolve("b");
  expect(await found).toEqual(["a", "b", undefined]);
});

test("rejects with the error of the first part if every part fails", async () => {
  const others = failure("silent");
  await expect(settledTogether([failure("away"), others])).rejects.toThrow("away");
});
