import { describe, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { askPatiently } from "./ask-patiently.ts";

const refused = (status: number, retryAfterSeconds = 0) =>
  new ApiError({ status, retryAfterSeconds });
const forGood = new AbortController().signal;

describe("a call that is retried", () => {
  test("retries as long as there are too many requests", async () => {
    const ask = vi.fn(async () => {
      if (ask.mock.calls.length < 4) throw refused(429);
      return "the page";
    });
    expect(await askPatiently(ask, forGood)).toBe("the page");
    expect(ask).toHaveBeenCalledTimes(4);
  });

  test("gives up eventually", async () => {
    const ask = vi.fn(() => Promise.reject(refused(503)));
    await expect(askPatiently(ask, forGood)).rejects.toThrow("The request failed");
    expect(ask).toHaveBeenCalledTimes(9);
  });

  test.each([401, 403, 500])("does not retry status %i", async (status) => {
    const ask = vi.fn(() => Promise.reject(refused(status)));
    await expect(askPatiently(ask, forGood)).rejects.toMatchObject({ status });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("stops waiting when it is aborted", async () => {
    const stop = new AbortController();
    const ask = vi.fn(() => Promise.reject(refused(429, 3600)));
    const asked = askPatiently(ask, stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
