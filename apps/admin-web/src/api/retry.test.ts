import { describe, expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { isWorthRetrying, retryPauseMs } from "./retry.ts";

const status = (code: number, retryAfterSeconds?: number) =>
  new ApiError({ status: code, retryAfterSeconds });

describe("retrying", () => {
  test.each([0, 429, 502, 503, 504])("%i may pass, and is asked again for a while", (code) => {
    expect(isWorthRetrying(0, status(code))).toBe(true);
    expect(isWorthRetrying(8, status(code))).toBe(false);
  });

  test.each([400, 401, 403, 404, 500])("%i is an answer, and stands", (code) => {
    expect(isWorthRetrying(0, status(code))).toBe(false);
  });

  test("a fault of the page's own is not repeated", () => {
    expect(isWorthRetrying(0, new TypeError("boom"))).toBe(false);
  });

  test("waits as it is told, else longer each time, but never for ever", () => {
    expect(retryPauseMs(0, status(503, 3))).toBe(3000);
    expect(retryPauseMs(0, status(503))).toBe(500);
    expect(retryPauseMs(2, status(0))).toBe(2000);
    expect(retryPauseMs(7, status(0))).toBe(10_000);
    expect(retryPauseMs(0, status(429, 3600))).toBe(10_000);
  });
});
