import { expect, test } from "vitest";
import { storedKey } from "./key-text.ts";

test.each([
  ["a".repeat(64), "_-BU_nrgy23GXDr5th1SCfQ5hR20PQulmXM33xVGaOs"],
  [`pre_${"B".repeat(64)}`, "p8zo7lHB2PG7IHpngQEUyAhw8X4LT4JLkDsSJazlt24"],
])("%s is stored as %s, its prefix included", (key, stored) => {
  expect(storedKey({ disableKeyHashing: false }, key)).toBe(stored);
});

test("stores a key as its text if hashing is disabled", () => {
  expect(storedKey({ disableKeyHashing: true }, "the key")).toBe("the key");
});
