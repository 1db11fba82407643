import { describe, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { askPatiently } from "./ask-patiently.ts";

const refused = (status: number, retryAfterSeconds = 0) =>
  new ApiError({ status, retryAfterSeconds });
const forGood = new AbortController().signal;

describe("what is asked patiently", () => {
  test("is asked again where there were too many requests, as long as that is so", async () => {
    const ask = vi.fn(async () => {
      if (ask.mock.calls.length < 4) throw refused(429);
      return "the page";
    });
    expect(await askPatiently(ask, forGood)).toBe("the page");
    expect(ask).toHaveBeenCalledTimes(4);
  });

  test("is given up at some time", async () => {
    const ask = vi.fn(() => Promise.reject(refused(503)));
    await expect(askPatiently(ask, forGood)).rejects.toThrow("Latchkey failed to do this");
    expect(ask).toHaveBeenCalledTimes(9);
  });

  test.each([401, 403, 500])("is not asked again where %i is the answer", async (status) => {
    const ask = vi.fn(() => Promise.reject(refused(status)));
    await expect(askPatiently(ask, forGood)).rejects.toMatchObject({ status });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  test("is not waited for by who has stopped", async () => {
    const stop = new AbortController();
    const ask = vi.fn(() => Promise.reject(refused(429, 3600)));
    const asked = askPatiently(ask, stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
