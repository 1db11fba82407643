import { describe, expect, test } from "vitest";
import type { Column, ColumnType } from "./columns.ts";
import type { Operator } from "./read-condition.ts";
import { goesByPairs, isSearch, isWellKnown } from "./search-rules.ts";

const columnOf = (type: ColumnType): Column => ({
  name: "any",
  type,
  isField: false,
});
const condition = (operator: Operator, value: string, type: ColumnType = "name") => ({
  column: columnOf(type),
  operator,
  value,
});

describe("a search", () => {
  test.each([
    ["email", "contains", true],
    ["name", "ends_with", true],
    ["role", "contains", true],
    ["role", "has", true],
    ["name", "starts_with", false],
    ["name", "eq", false],
    ["text", "contains", false],
    ["id", "contains", false],
  ] as const)("of %s by %s: %s", (type, operator, searches) => {
    expect(isSearch(condition(operator, "ada", type))).toBe(searches);
  });
});

describe("trusts statistics", () => {
  test.each([
    ["email", "contains", true],
    ["name", "starts_with", true],
    ["name", "ends_with", true],
    ["email", "gte", false],
    ["role", "contains", false],
    ["text", "contains", false],
  ] as const)("of %s by %s: %s", (type, operator, believed) => {
    expect(isWellKnown(condition(operator, "ada", type))).toBe(believed);
  });
});

describe("uses pairs of letters for a term without three letters in a row", () => {
  test.each([
    ["contains", "ad", true],
    ["contains", "ada", false],
    ["contains", "4.2", true],
    ["contains", "o'b", true],
    ["contains", "o'bri", false],
    ["contains", "王伟", true],
    ["contains", "éa", true],
    ["contains", "éàü", false],
    // One letter makes no pair.
    ["contains", "a", false],
    ["contains", "𝒜", false],
    // The end of a word counts as a letter.
    ["ends_with", "da", false],
    ["ends_with", "a.", true],
    ["starts_with", "ad", false],
    ["eq", "ad", false],
  ] as const)("%s %s: %s", (operator, value, byPairs) => {
    expect(goesByPairs(condition(operator, value))).toBe(byPairs);
  });

  test("finds one of several words by the index for another", () => {
    expect(goesByPairs({ ...condition("contains", "ad"), isOneOfWords: true })).toBe(false);
  });

  test("uses pairs only where they are indexed", () => {
    expect(goesByPairs(condition("contains", "ad", "role"))).toBe(false);
    expect(goesByPairs(condition("contains", "ad", "text"))).toBe(false);
    expect(goesByPairs(condition("contains", "ad", "email"))).toBe(true);
  });
});
