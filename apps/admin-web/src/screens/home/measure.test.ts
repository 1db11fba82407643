import { expect, test } from "vitest";
import { changeText, measure } from "./measure.ts";

const days = [
  { day: "2026-01-01", sent: 1, captured: 1 },
  { day: "2026-01-02", sent: 2, captured: 0 },
  { day: "2026-01-03", sent: 3, captured: 4 },
  { day: "2026-01-04", sent: 5, captured: 0 },
];

test("separates a period from the previous one", () => {
  const metric = { of: ["sent", "captured"], by: "sum" } as const;
  expect(measure(metric, days, { from: "2026-01-03" })).toEqual({
    amount: 12,
    before: 4,
    valuesBefore: [2, 2],
    values: [
      { day: "2026-01-03", value: 7 },
      { day: "2026-01-04", value: 5 },
    ],
  });
});

test("averages metrics that count users anew every day", () => {
  const metric = { of: ["sent"], by: "average" } as const;
  expect(measure(metric, days, { from: "2026-01-03" })).toMatchObject({ amount: 4, before: 1.5 });
  expect(measure(metric, [], { from: "2026-01-03" })).toEqual({
    amount: 0,
    before: 0,
    valuesBefore: [],
    values: [],
  });
});

test.each([
  [0, 0, "no change"],
  [7, 7, "no change"],
  [7, 0, "none previously"],
  [112, 100, "+12%"],
  [50, 100, "-50%"],
  [0, 3, "-100%"],
  [12_000, 100, "120 times"],
])("compares %i with %i as %s", (amount, before, text) => {
  expect(changeText({ amount, before })).toBe(text);
});
