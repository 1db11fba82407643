import { expect, test } from "vitest";
import { isTyped } from "./is-typed.ts";

test.each([
  ["acme", "acme", true],
  ["acme ", "acme", true],
  [" acme", " acme", true],
  ["acme", " acme", true],
  ["a  b", "a  b", true],
  ["a b", "a  b", false],
  ["\u202Eacme", "\u202Eacme", true],
  ["acme", "\u202Eacme", false],
  ["W".repeat(255), "W".repeat(255), true],
  ["ab", "a\nb", true],
  ["   ", "   ", true],
  ["", "   ", false],
  ["", "acme", false],
  ["Acme", "acme", false],
])("%j typed for %j is accepted: %s", (text, wanted, typed) => {
  expect(isTyped(text, wanted)).toBe(typed);
});
