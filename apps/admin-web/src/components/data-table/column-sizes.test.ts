import { expect, test } from "vitest";
import { growsWith, hiddenBelow, hidingWidths, leastWidths, sizeOf } from "./column-sizes.ts";

test.each([
  ["w-40", 160],
  ["w-4.5", 18],
  ["min-w-40", 160],
  [undefined, 144],
  ["w-full", 144],
  ["w-[3px]", 144],
])("a column of the width %s takes %i pixels", (width, size) => {
  expect(sizeOf(width)).toBe(size);
});

const column = { size: 160, grows: false, isPinned: false, priority: undefined };
const columns = [
  { ...column, size: 321, isPinned: true },
  column,
  { ...column, priority: "low" },
  { ...column, priority: "medium" },
  { ...column, priority: "high" },
] as const;

test("hides columns one at a time, as soon as those that stay longer leave no room for them", () => {
  expect(hidingWidths(columns)).toEqual([undefined, undefined, 61, 51, 41]);
  const low = { ...column, priority: "low" } as const;
  expect(hidingWidths([column, low, low])).toEqual([undefined, 20, 30]);
  expect(hiddenBelow(61)).toBe("@max-[61rem]/table:hidden");
});

test("hides columns of tiny and of huge tables at widths that have a class", () => {
  const low = { ...column, priority: "low" } as const;
  expect(hidingWidths([low])).toEqual([20]);
  expect(hidingWidths([{ ...low, size: 5000 }])).toEqual([96]);
});

test("a table needs the width of the columns that stay, and less on a phone", () => {
  expect(leastWidths(columns)).toEqual({ "--least": "30.0625rem", "--least-narrow": "21rem" });
});

test("columns that share the remaining room need as much as the widest of them", () => {
  expect(["w-40", "min-w-40", undefined].map(growsWith)).toEqual([false, true, true]);
  const growing = { ...column, grows: true, priority: "low" } as const;
  expect(hidingWidths([growing, { ...growing, size: 320 }])).toEqual([20, 40]);
});
