import { expect, test } from "vitest";
import { isEmailAddress, plainText } from "./plain-text.ts";

test.each(["a'b@c.co", "a+b@c.co", "a@c-.co", "A.B@EX-ample.Com"])("%j is an address", (value) => {
  expect(isEmailAddress(value)).toBe(true);
});

test.each([
  "a@b",
  "a@b.c",
  "a@c.c0",
  "a&b@c.co",
  "é@c.co",
  " a@c.co",
  "a@c.co ",
  "a@[1.2.3.4]",
  ".a@c.co",
  "a.@c.co",
  "a..b@c.co",
  "",
  `${"a".repeat(320)}@c.co`,
  "a@c.co\n",
  undefined,
  null,
  7,
  ["a@c.co"],
])("%j is not an address", (value) => {
  expect(isEmailAddress(value)).toBe(false);
});

test("rejects text that a store cannot hold", () => {
  expect(plainText(10).safeParse("a\0b").success).toBe(false);
  expect(plainText(10).safeParse("a\ud800b").success).toBe(false);
  expect(plainText(10).safeParse("a\u{1f600}b").success).toBe(true);
  expect(plainText(3).safeParse("abcd").success).toBe(false);
  expect(plainText(3).safeParse("abc").success).toBe(true);
});
