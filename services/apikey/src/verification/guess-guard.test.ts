import { WireError } from "@latchkey/contracts";
import { createTestClock } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createGuessGuard } from "./guess-guard.ts";

const arrange = (max = 3) => {
  const clock = createTestClock();
  const config = { apiKey: { unknownKeys: { window: 60, max } } };
  const guard = createGuessGuard({ clock: clock.now, config });
  /** Asks for an unknown key. */
  const guess = (service: string) => {
    guard.admit(service, "unknown");
  };
  const find = (service: string, stored: string) => guard.admit(service, stored)("good");
  return { clock, guard, guess, find };
};

const refusalOf = (work: () => void): WireError => {
  try {
    work();
  } catch (error) {
    if (error instanceof WireError) return error;
  }
  throw new Error("nothing was refused");
};

test("refuses a service that has asked for too many unknown keys, and reports when the window ends", () => {
  const { clock, guess } = arrange();
  guess("billing");
  clock.advance(10_500);
  guess("billing");
  guess("billing");
  expect(refusalOf(() => guess("billing"))).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    retryAfterSeconds: 50,
  });
  clock.advance(49_500);
  expect(() => guess("billing")).not.toThrow();
});

test("still admits keys that the service found valid within the hour, but not those of other services", () => {
  const { clock, guard, guess, find } = arrange();
  find("billing", "old");
  clock.advance(3_540_000);
  find("billing", "good");
  find("search", "other");
  clock.advance(60_000);
  for (let count = 0; count < 3; count += 1) guess("billing");
  expect(() => guard.admit("billing", "good")).not.toThrow();
  for (const stored of ["new", "old", "other"])
    expect(refusalOf(() => guard.admit("billing", stored)).code).toBe("TOO_MANY_REQUESTS");
});

test("keeps a key known that is used again and again", () => {
  const { clock, guard, guess, find } = arrange();
  for (let minutes = 0; minutes < 120; minutes += 2) {
    find("billing", "good");
    clock.advance(120_000);
  }
  for (let count = 0; count < 3; count += 1) guess("billing");
  expect(() => guard.admit("billing", "good")).not.toThrow();
});

test("does not refuse other services", () => {
  const { guess } = arrange();
  for (let count = 0; count < 3; count += 1) guess("billing");
  expect(() => guess("search")).not.toThrow();
});

test("does not count valid keys", () => {
  const { guard, find } = arrange();
  for (let count = 0; count < 100; count += 1) find("billing", `good ${count}`);
  for (let count = 0; count < 100; count += 1) guard.admit("billing", `refused ${count}`)("known");
  expect(() => guard.admit("billing", "new")).not.toThrow();
});

test("starts a new window when the old one is over", () => {
  const { clock, guess } = arrange(1);
  for (let count = 0; count < 5; count += 1) {
    guess("billing");
    expect(refusalOf(() => guess("billing")).code).toBe("TOO_MANY_REQUESTS");
    clock.advance(60_000);
  }
});

test("admits no more of many concurrent guesses than the limit", () => {
  const { guard } = arrange();
  const settles = [1, 2, 3].map((count) => guard.admit("billing", `guess ${count}`));
  expect(refusalOf(() => guard.admit("billing", "guess 4")).code).toBe("TOO_MANY_REQUESTS");
  settles[0]?.("known");
  expect(() => guard.admit("billing", "guess 4")).not.toThrow();
});

test("does not charge guesses of a past window to the next one, whenever they are settled", () => {
  const { clock, guard } = arrange(1);
  const settle = guard.admit("billing", "slow");
  clock.advance(60_000);
  guard.admit("billing", "next");
  settle("known");
  expect(refusalOf(() => guard.admit("billing", "other")).code).toBe("TOO_MANY_REQUESTS");
});
