import { describe, expect, test } from "vitest";
import { countDays, isDay, lastDays, rangeBefore, rangeFault } from "./day-range.ts";

const now = new Date("2026-03-02T23:30:00Z");

describe("ranges of days", () => {
  test("the last days end today", () => {
    expect(lastDays(7, now)).toEqual({ from: "2026-02-24", to: "2026-03-02" });
    expect(countDays(lastDays(7, now))).toBe(7);
    expect(lastDays(1, now)).toEqual({ from: "2026-03-02", to: "2026-03-02" });
  });

  test("the previous range has the same length and is adjacent", () => {
    expect(rangeBefore({ from: "2026-03-01", to: "2026-03-02" })).toEqual({
      from: "2026-02-27",
      to: "2026-02-28",
    });
  });

  test.each([
    ["2026-02-28", true],
    ["2028-02-29", true],
    ["2026-02-29", false],
    ["2026-02-31", false],
    ["2026-13-01", false],
    ["26-01-01", false],
    ["yesterday", false],
  ])("%s is an existing day: %s", (text, isThere) => {
    expect(isDay(text)).toBe(isThere);
  });

  test.each([
    [{ from: "", to: "2026-03-02" }, "range.bothDays"],
    [{ from: "2026-02-31x", to: "2026-03-02" }, "range.bothDays"],
    [{ from: "2026-03-03", to: "2026-03-02" }, "range.order"],
    [{ from: "2025-01-01", to: "2026-03-02" }, "range.tooLong"],
    [{ from: "2026-03-02", to: "2026-03-02" }, undefined],
  ])("the fault of %j is %s", (range, fault) => {
    expect(rangeFault(range, 400)).toBe(fault);
  });
});
