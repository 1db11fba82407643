import { expect, test } from "vitest";
import { escapeLike, hasTrigram, localPart } from "./text-search.ts";

test("escapes the characters with a meaning in LIKE", () => {
  expect(escapeLike("50% of a_b\\c")).toBe("50\\% of a\\_b\\\\c");
});

test.each([
  ["ada", true],
  ["a1b", true],
  ["x éàü", true],
  ["王伟工", true],
  ["ad", false],
  ["a.b", false],
  ["o'b", false],
  ["工厂", false],
  ["%%%", false],
])("%s has three letters or digits in a row: %s", (term, expected) => {
  expect(hasTrigram(term)).toBe(expected);
});

test.each([
  ["ada.lovelace@example.com", "ada.lovelace@"],
  ["augusta.ada.lovelace@example.com", "ada.lovelace@"],
  ["lovelace@e", "lovelace@"],
  ["lovelace@", undefined],
  ["lovelace", undefined],
  ["info@example.com", undefined],
  ["@example.com", undefined],
])("an address with %s is looked up by %s", (term, part) => {
  expect(localPart(term)).toBe(part);
});
