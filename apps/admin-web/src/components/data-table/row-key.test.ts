import { expect, test } from "vitest";
import { rowMove } from "./row-key.ts";

test.each([
  ["ArrowDown", 0, { to: 1 }],
  ["ArrowDown", 2, { to: 2 }],
  ["ArrowUp", 0, { to: 0 }],
  ["Home", 2, { to: 0 }],
  ["End", 0, { to: 2 }],
  ["Enter", 1, "open"],
  [" ", 1, "select"],
  ["a", 1, undefined],
])("%s on row %i of 3", (key, index, move) => {
  expect(rowMove(key, index, 3)).toEqual(move);
});
