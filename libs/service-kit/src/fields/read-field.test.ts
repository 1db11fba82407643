import { describe, expect, test } from "vitest";
import { isOfType } from "./read-field.ts";

type Type = Parameters<typeof isOfType>[0];

describe("a value is of a type", () => {
  test.each<[Type, unknown[]]>([
    ["string", ["", "a", "é", "😀", "x".repeat(65_536)]],
    ["number", [0, -0, -1.5, Number.MAX_VALUE]],
    ["boolean", [true, false]],
    ["date", ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"]],
    ["date", ["2026-01-02T03:04Z", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05+05:30"]],
    ["date", [new Date(0)]],
    ["string[]", [[], ["a", ""]]],
    ["number[]", [[], [0, 1.5]]],
    [
      ["small", "large"],
      ["small", "large"],
    ],
  ])("%j: %j", (type, values) => {
    for (const value of values) expect([value, isOfType(type, value)]).toEqual([value, true]);
  });
});

describe("a value is not of a type", () => {
  test.each<[Type, unknown[]]>([
    ["string", [null, undefined, 1, true, {}, ["a"], Object]],
    ["number", ["1", Number.NaN, Number.POSITIVE_INFINITY, null, [1]]],
    ["boolean", ["true", 0, 1, null]],
    ["date", [0, "", "today", "2026", "2026-1-2", "2026-01-02 03:04Z", null, {}]],
    ["string[]", ["a", ["a", 1], [["a"]], { 0: "a", length: 1 }, null]],
    ["number[]", [1, ["1"], [1, null], [Number.NaN]]],
    [
      ["small", "large"],
      ["", "Small", "toString", ["small"], null],
    ],
  ])("%j: %j", (type, values) => {
    for (const value of values) expect([value, isOfType(type, value)]).toEqual([value, false]);
  });

  test("a text that no store can hold", () => {
    for (const text of ["a\0b", "\ud83d", "\ude00x", "x".repeat(65_537)]) {
      expect(isOfType("string", text)).toBe(false);
      expect(isOfType("string[]", [text])).toBe(false);
    }
  });

  test.each([
    ["a day that is not", "2026-02-30"],
    ["a day that is not in that year", "2026-02-29T00:00:00Z"],
    ["an hour that is not", "2026-01-01T25:00:00Z"],
    ["a moment without a zone, which is another one on each server", "2026-01-01T10:00:00"],
    ["the year 0, which Postgres does not have", "0000-01-01"],
    ["a moment that falls into the year 0", "0001-01-01T00:00:00+01:00"],
    ["a moment that falls into the year 10000", "9999-12-31T23:59:59-01:00"],
    ["a date that is none", new Date(Number.NaN)],
  ])("%s", (_, value) => {
    expect(isOfType("date", value)).toBe(false);
  });
});
