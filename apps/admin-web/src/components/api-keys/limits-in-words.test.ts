import { describe, expect, test } from "vitest";
import { durationText } from "./duration-text.ts";
import { type KeyLimits, limitsInWords } from "./limits-in-words.ts";

const now = new Date("2026-06-01T12:00:00Z");
const day = 86_400_000;

const unlimited: KeyLimits = {
  remaining: null,
  refill: null,
  rate: null,
  expiresAt: null,
  permissions: null,
};

const words = (limits: Partial<KeyLimits>) => limitsInWords({ ...unlimited, ...limits }, now);

describe("the limits of a key in words", () => {
  test("include all limits", () => {
    expect(
      words({
        remaining: 100,
        refill: { amount: 100, days: 30 },
        rate: { max: 10, windowMs: day },
        expiresAt: new Date("2026-12-24T18:00:00Z"),
        permissions: { files: ["read", "write"], mails: ["send"] },
      }),
    ).toEqual([
      "100 uses, refilled to 100 every 30 days.",
      "Rate limit: 10 uses, reset after 1 day without use.",
      "Expires on 24 December 2026 at 18:00 UTC.",
      "Permissions: files (read, write); mails (send).",
    ]);
  });

  test("state that a limit does not exist", () => {
    expect(words({})).toEqual([
      "Unlimited uses.",
      "No rate limit.",
      "Never expires.",
      "No permissions.",
    ]);
  });

  test("state that the installation decides if a limit is unknown", () => {
    expect(words({ rate: undefined, expiresAt: undefined, permissions: undefined })).toEqual([
      "Unlimited uses.",
      "The default rate limit applies.",
      "The default expiry applies.",
      "The default permissions.",
    ]);
  });

  test.each([
    [{ remaining: 0 }, "No uses left."],
    [{ remaining: 1 }, "1 use, then it is deleted."],
    [{ remaining: 12_000 }, "12,000 uses, then it is deleted."],
    [{ remaining: 0, refill: { amount: 5, days: 1 } }, "0 uses, refilled to 5 every day."],
  ])("explain what happens after the last use: %j", (limits, told) => {
    expect(words(limits)[0]).toBe(told);
  });

  test("report that a key has expired", () => {
    expect(words({ expiresAt: now })[2]).toBe("Expired on 1 June 2026 at 12:00 UTC.");
  });

  test("include resources without actions, and state that there are no permissions", () => {
    expect(words({ permissions: { files: [] } })[3]).toBe("Permissions: files (nothing).");
    expect(words({ permissions: {} })[3]).toBe("No permissions.");
  });
});

test.each([
  [1, "1 millisecond"],
  [1000, "1 second"],
  [90_000, "90 seconds"],
  [60_000, "1 minute"],
  [3_600_000, "1 hour"],
  [36 * 3_600_000, "36 hours"],
  [day, "1 day"],
  [365 * day, "365 days"],
  [1500, "1,500 milliseconds"],
])("%d milliseconds are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
