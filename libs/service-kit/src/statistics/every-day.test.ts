import { expect, test } from "vitest";
import { everyDay } from "./every-day.ts";

const none = { count: 0 };

test("includes days without a row, across the end of February and of a year", () => {
  const rows = [
    { day: "2028-02-28", count: 3 },
    { day: "2028-03-01", count: 5 },
  ];
  expect(everyDay({ from: "2028-02-27", to: "2028-03-02" }, rows, none)).toEqual([
    { day: "2028-02-27", count: 0 },
    { day: "2028-02-28", count: 3 },
    { day: "2028-02-29", count: 0 },
    { day: "2028-03-01", count: 5 },
    { day: "2028-03-02", count: 0 },
  ]);
  expect(everyDay({ from: "2030-12-31", to: "2031-01-01" }, [], none)).toEqual([
    { day: "2030-12-31", count: 0 },
    { day: "2031-01-01", count: 0 },
  ]);
});

test("returns one day for a range of one day", () => {
  expect(everyDay({ from: "2030-01-01", to: "2030-01-01" }, [], none)).toHaveLength(1);
});
