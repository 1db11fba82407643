import { expect, test } from "vitest";
import { limitsInWords } from "../../components/api-keys/limits-in-words.ts";
import { keyLimits } from "./key-limits.ts";

const now = new Date("2026-06-01T12:00:00Z");
const open = {
  remaining: null,
  refillAmount: null,
  refillInterval: null,
  rateLimitEnabled: false,
  rateLimitMax: 10,
  rateLimitTimeWindow: 60_000,
  expiresAt: null,
  permissions: null,
};

test("describes a key without limits", () => {
  expect(limitsInWords(keyLimits(open), now)).toEqual([
    "Unlimited uses.",
    "No rate limit.",
    "Never expires.",
    "No permissions.",
  ]);
});

test("uses the effective limits of a key", () => {
  const key = {
    ...open,
    remaining: 7,
    refillAmount: 100,
    refillInterval: 30,
    rateLimitEnabled: true,
    expiresAt: "2026-06-02T12:00:00.000Z",
    permissions: { files: ["read"] },
  };
  expect(limitsInWords(keyLimits(key), now)).toEqual([
    "7 uses, refilled to 100 every 30 days.",
    "Rate limit: 10 uses, reset after 1 minute without use.",
    "Expires on 2 June 2026 at 12:00 UTC.",
    "Permissions: files (read).",
  ]);
});
