import { expect, test } from "vitest";
import { strengthOf } from "./password-strength.ts";

test.each([
  ["", 0],
  ["aaaaaaaaaaaa", 1],
  ["password123", 1],
  ["12345678", 1],
  ["abcdefgh", 1],
  ["hunter27", 2],
  ["xK9!pQ2z", 2],
  ["horse battery", 3],
  ["correct horse battery", 4],
  ["pferd batterie heftklammer", 4],
] as const)("the strength of %j is %d", (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
