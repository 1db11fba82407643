import { expect, test } from "vitest";
import { axisEnd, barsOf, columnAt } from "./day-bars.ts";

test.each([
  [[], 1],
  [[0, 0], 1],
  [[1], 1],
  [[0.5], 1],
  [[3], 4],
  [[7, 2], 8],
  [[10], 10],
  [[11], 12],
  [[27], 30],
  [[1999], 2000],
  [[50_001], 60_000],
])("the axis of %j ends at %i", (values, end) => {
  expect(axisEnd(values)).toBe(end);
});

test("draws a bar per day on the scale of the axis", () => {
  expect(barsOf([[0], [5], [10]], 10)).toEqual([
    [{ x: 3.33, y: 100, width: 26.67, height: 0 }],
    [{ x: 36.67, y: 50, width: 26.67, height: 50 }],
    [{ x: 70, y: 0, width: 26.67, height: 100 }],
  ]);
  expect(barsOf([], 1)).toEqual([]);
});

test("stacks the parts of a day", () => {
  expect(barsOf([[5, 3, 0]], 10)).toEqual([
    [
      { x: 10, y: 50, width: 80, height: 50 },
      { x: 10, y: 20, width: 80, height: 30 },
      { x: 10, y: 20, width: 80, height: 0 },
    ],
  ]);
});

test.each([
  [0, 4, 0],
  [0.24, 4, 0],
  [0.25, 4, 1],
  [0.999, 4, 3],
  [1, 4, undefined],
  [-0.1, 4, undefined],
  [0.5, 0, undefined],
])("at the share %d of %i columns is column %s", (share, count, column) => {
  expect(columnAt(share, count)).toBe(column);
});
