import { expect, test } from "vitest";
import { makePassword } from "./read-password.ts";

test.each([
  [8, 128, 24],
  [40, 128, 40],
  [4, 10, 10],
])("generates a password between %i and %i characters", (min, max, length) => {
  const bounds = { minPasswordLength: min, maxPasswordLength: max };
  const made = Array.from({ length: 100 }, () => makePassword(bounds));
  for (const password of made) expect(password).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
  expect(new Set(made).size).toBe(100);
});
