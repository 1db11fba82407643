import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test("rejects text that a store cannot hold", () => {
  expect(plainText(10).safeParse("a\0b").success).toBe(false);
  expect(plainText(10).safeParse("a\ud800b").success).toBe(false);
  expect(plainText(10).safeParse("a\u{1f600}b").success).toBe(true);
  expect(plainText(3).safeParse("abcd").success).toBe(false);
  expect(plainText(3).safeParse("abc").success).toBe(true);
});
