import { expect, test } from "vitest";
import { fillDays, sumDays, sumInWords, type UsageDay } from "./usage-days.ts";

const day = (text: string, own: Partial<UsageDay> = {}): UsageDay => ({
  day: text,
  valid: 0,
  rateLimited: 0,
  exhausted: 0,
  expired: 0,
  disabled: 0,
  forbidden: 0,
  ...own,
});

const range = { from: "2026-02-27", to: "2026-03-02" };
const used = [day("2026-02-28", { valid: 1200, forbidden: 1 }), day("2026-03-02", { valid: 3 })];

test("includes days without a use as zeros", () => {
  expect(fillDays(used, range)).toEqual([day("2026-02-27"), used[0], day("2026-03-01"), used[1]]);
});

test("sums uses by outcome and describes them in words", () => {
  expect(sumInWords(sumDays(used))).toBe("valid 1,203, not permitted 1");
  expect(sumInWords(sumDays([]))).toBe("no uses");
});
