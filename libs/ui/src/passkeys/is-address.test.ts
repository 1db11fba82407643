import { expect, test } from "vitest";
import { isAddress } from "./is-address.ts";

test.each([
  ["127.0.0.1", true],
  ["[::1]", true],
  ["localhost", false],
  ["10.example.com", false],
  ["1.2.3.4.example", false],
])("of %s is %s", (hostname, expected) => {
  expect(isAddress(hostname)).toBe(expected);
});
