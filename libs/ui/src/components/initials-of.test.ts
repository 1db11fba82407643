import { expect, test } from "vitest";
import { initialsOf } from "./initials-of.ts";

test.each([
  ["Ada Lovelace", "AL"],
  ["ada", "A"],
  ["Ada King Lovelace", "AL"],
  ["Ágnes Őri", "ÁŐ"],
  ["<script>alert(1)</script>", "SS"],
  ["李 小龙", "李小"],
  ["", "?"],
  ["👩‍🚀", "?"],
])("%s: %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
