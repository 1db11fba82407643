import { describe, expect, test } from "vitest";
import type { Column, ColumnType } from "./columns.ts";
import { type Operator, readCondition } from "./read-condition.ts";

const columnOf = (type: ColumnType): Column => ({
  name: "any",
  type,
  isField: false,
});

const read = (type: ColumnType, operator: Operator, value: unknown) =>
  readCondition({
    column: columnOf(type),
    operator,
    value,
    refuse: (problem) => {
      throw new Error(problem);
    },
  }).value;

test.each([
  ["text", "eq", "Ada"],
  ["text", "contains", ""],
  ["number", "gte", 0.5],
  ["boolean", "eq", false],
  ["text", "eq", null],
  ["date", "ne", null],
  ["texts", "contains", "a"],
  ["numbers", "contains", 1],
  ["text", "in", []],
  ["number", "in", [1, null]],
] as const)("%s %s %j is read as it is", (type, operator, value) => {
  expect(read(type, operator, value)).toEqual(value);
});

test("reads a date as a point in time, and a day as its start", () => {
  expect(read("date", "lt", "2030-01-02")).toEqual(new Date("2030-01-02T00:00:00.000Z"));
  expect(read("date", "in", ["2030-01-02T03:04:05+01:00"])).toEqual([
    new Date("2030-01-02T02:04:05.000Z"),
  ]);
});

test("compares an address in lower case, as it is stored", () => {
  expect(read("email", "eq", "Ada@Example.com")).toBe("ada@example.com");
  expect(read("email", "in", ["A@B.c", null])).toEqual(["a@b.c", null]);
  expect(read("id", "eq", "aB")).toBe("aB");
});

describe("rejects a value that does not fit the column", () => {
  test.each([
    ["text", "eq", 1],
    ["text", "eq", undefined],
    ["text", "eq", ["a"]],
    ["text", "eq", { a: 1 }],
    ["text", "contains", "a\0b"],
    ["name", "starts_with", "\ud800"],
    ["boolean", "eq", "true"],
    ["number", "eq", "1"],
    ["number", "eq", Number.NaN],
    ["date", "eq", "yesterday"],
    ["date", "eq", "2030-02-30"],
    ["date", "eq", 0],
    ["text", "lt", null],
    ["text", "contains", null],
    ["number", "in", [1, "2"]],
    ["numbers", "contains", "1"],
  ] as const)("%s %s %j", (type, operator, value) => {
    expect(() => read(type, operator, value)).toThrow("is of another type");
  });

  test.each([
    ["boolean", "contains", true],
    ["date", "starts_with", "2030-01-01"],
    ["number", "ends_with", 1],
    ["texts", "eq", "a"],
    ["numbers", "in", [1]],
  ] as const)("%s has no %s", (type, operator, value) => {
    expect(() => read(type, operator, value)).toThrow("has no such comparison");
  });
});
