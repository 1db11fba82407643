import { describe, expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { isWorthRetrying, retryPauseMs } from "./retry.ts";

const status = (code: number, retryAfterSeconds?: number) =>
  new ApiError({ status: code, retryAfterSeconds });

describe("retrying", () => {
  test.each([0, 429, 502, 503, 504])("retries status %i for a while", (code) => {
    expect(isWorthRetrying(0, status(code))).toBe(true);
    expect(isWorthRetrying(8, status(code))).toBe(false);
  });

  test.each([400, 401, 403, 404, 500])("does not retry status %i", (code) => {
    expect(isWorthRetrying(0, status(code))).toBe(false);
  });

  test("does not retry a bug in the page", () => {
    expect(isWorthRetrying(0, new TypeError("boom"))).toBe(false);
  });

  test("waits as long as the reply says, otherwise longer each time up to a limit", () => {
    expect(retryPauseMs(0, status(503, 3))).toBe(3000);
    expect(retryPauseMs(0, status(503))).toBe(500);
    expect(retryPauseMs(2, status(0))).toBe(2000);
    expect(retryPauseMs(7, status(0))).toBe(10_000);
    expect(retryPauseMs(0, status(429, 3600))).toBe(10_000);
  });
});
