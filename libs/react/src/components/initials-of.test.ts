import { expect, test } from "vitest";
import { initialsOf } from "./user-button.tsx";

test.each([
  ["Ada Lovelace", "AL"],
  ["Ada King, Countess of Lovelace", "AL"],
  ["ada", "A"],
  ["ada@example.com", "AE"],
  ["  ", ""],
  ["𝒜da 🦊", "𝒜🦊"],
])("%j has the initials %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
