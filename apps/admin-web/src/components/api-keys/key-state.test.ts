import { expect, test } from "vitest";
import { keyState } from "./key-state.ts";

const now = new Date("2026-06-01T12:00:00Z");
const good = {
  enabled: true,
  disabledByAdmin: false,
  expiresAt: null,
  remaining: null,
  refillAmount: null,
  successorId: null,
};

test.each([
  ["Active", {}],
  ["Active", { expiresAt: "2026-06-01T12:00:01Z", remaining: 1 }],
  ["Active", { remaining: 0, refillAmount: 5 }],
  ["Used up", { remaining: 0 }],
  ["Expired", { expiresAt: "2026-06-01T12:00:00Z", remaining: 0 }],
  ["Disabled", { enabled: false, expiresAt: "2026-01-01T00:00:00Z" }],
  ["Retired", { successorId: "next", expiresAt: "2026-06-01T12:00:01Z", remaining: 0 }],
  ["Expired", { successorId: "next", expiresAt: "2026-06-01T12:00:00Z", enabled: false }],
  ["Disabled by admin", { enabled: false, disabledByAdmin: true }],
])("a key is %s: %j", (label, own) => {
  expect(keyState({ ...good, ...own }, now).label).toBe(label);
});
