import { expect, test } from "vitest";
import { retryDelay } from "./bullmq-bus.ts";

const backoff = { baseMilliseconds: 1_000, maxMilliseconds: 900_000 };

test.each([
  [1, 1_000],
  [2, 2_000],
  [3, 4_000],
  [10, 512_000],
  [11, 900_000],
  [5_000, 900_000],
])("after failure %i waits at most %i ms and at least half of it", (failures, longest) => {
  expect(retryDelay(failures, backoff, () => 0)).toBe(longest);
  expect(retryDelay(failures, backoff, () => 1)).toBe(longest / 2);
});

test("never returns zero, which would mean an immediate retry", () => {
  expect(retryDelay(1, { baseMilliseconds: 0, maxMilliseconds: 0 }, () => 0)).toBe(1);
});
