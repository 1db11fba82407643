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
      "At most 10 in a row without a pause of a day.",
      "Expires on 24 December 2026 at 18:00 UTC.",
      "Permissions: files (read, write); mails (send).",
    ]);
  });

  test("state that a limit does not exist", () => {
    expect(words({})).toEqual([
      "Any number of uses.",
      "As many uses in a row as one likes.",
      "Never expires.",
      "No permissions.",
    ]);
  });

  test("state that the installation decides if a limit is unknown", () => {
    expect(words({ rate: undefined, expiresAt: undefined, permissions: undefined })).toEqual([
      "Any number of uses.",
      "At most so many uses in a row as this installation allows.",
      "Expires when this installation says so.",
      "The permissions that this installation gives by default.",
    ]);
  });

  test.each([
    [{ remaining: 0 }, "No uses are left."],
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
  [1, "a millisecond"],
  [1000, "a second"],
  [90_000, "90 seconds"],
  [60_000, "a minute"],
  [3_600_000, "an hour"],
  [36 * 3_600_000, "36 hours"],
  [day, "a day"],
  [365 * day, "365 days"],
  [1500, "1,500 milliseconds"],
])("%d milliseconds are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
