import { describe, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { callPatiently } from "./call-patiently.ts";

const refused = (status: number, retryAfterSeconds = 0) =>
  new ApiError({ status, retryAfterSeconds });
const forGood = new AbortController().signal;

describe("a call that is retried", () => {
  test("retries as long as there are too many requests", async () => {
    const read = vi.fn(async () => {
      if (read.mock.calls.length < 4) throw refused(429);
      return "the page";
    });
    expect(await callPatiently(read, forGood)).toBe("the page");
    expect(read).toHaveBeenCalledTimes(4);
  });

  test("gives up eventually", async () => {
    const read = vi.fn(() => Promise.reject(refused(503)));
    await expect(callPatiently(read, forGood)).rejects.toThrow("The request failed");
    expect(read).toHaveBeenCalledTimes(9);
  });

  test.each([401, 403, 500])("does not retry status %i", async (status) => {
    const read = vi.fn(() => Promise.reject(refused(status)));
    await expect(callPatiently(read, forGood)).rejects.toMatchObject({ status });
    expect(read).toHaveBeenCalledTimes(1);
  });

  test("stops waiting when it is aborted", async () => {
    const stop = new AbortController();
    const read = vi.fn(() => Promise.reject(refused(429, 3600)));
    const result = callPatiently(read, stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(result).rejects.toMatchObject({ name: "AbortError" });
    expect(read).toHaveBeenCalledTimes(1);
  });
});
