import { expect, test } from "vitest";

import { addressKey } from "./address-key.ts";

test.each([
  ["1.2.3.4", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
  ["2001:db8::5:6", "2001:db8::/64"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"],
  ["2001:db8:1::1", "2001:db8:1::/64"],
  ["::2:3:4:5:6:7", "0:0:2:3::/64"],
  ["::1", "::/64"],
  ["::1.2.3.4", "::/64"],
  ["1::", "1::/64"],
  ["fe80::1%eth0", "fe80::/64"],
])("%s counts as %s", (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test.each([undefined, "", "unknown", "nonsense"])("%s shares the single unknown key", (address) => {
  expect(addressKey(address)).toBe("unknown");
});
