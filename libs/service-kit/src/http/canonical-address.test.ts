import { expect, test } from "vitest";

import { canonicalAddress } from "./canonical-address.ts";

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::FFFF:1.2.3.4", "1.2.3.4"],
  ["::ffff:102:304", "1.2.3.4"],
  ["0:0:0:0:0:ffff:1.2.3.4", "1.2.3.4"],
  ["::1", "::1"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["fe80::1%eth0", "fe80::1"],
])("%s is %s", (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});

test.each([
  "",
  "unknown",
  "1.2.3",
  "01.2.3.4",
  "1.2.3.256",
  "1.2.3.4:80",
  "[::1]",
  ":::1",
  "2001:db8::g",
  " 1.2.3.4",
])("%j is not an address", (text) => {
  expect(canonicalAddress(text)).toBeUndefined();
});
