import { createTestClock } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createUserRevisions, type UserRevisions } from "./user-revisions.ts";

const cachedSeconds = 300;
const keptMs = 420_000;
const trustMs = 2_500;

let clock: ReturnType<typeof createTestClock>;
let epochs: UserRevisions;
beforeEach(() => {
  clock = createTestClock();
  epochs = createUserRevisions({ clock: clock.now, cachedSeconds });
});

describe("a cached session", () => {
  beforeEach(() => epochs.hear(clock.now()));

  test("of a user without a new version is trusted", () => {
    expect(epochs.isCurrent("a", 0)).toBe(true);
  });

  test("of an earlier version than the user's is not trusted from that moment on", () => {
    epochs.note("a", 7);
    expect([6, 7, 8].map((epoch) => epochs.isCurrent("a", epoch))).toEqual([false, true, true]);
    expect(epochs.isCurrent("b", 6)).toBe(true);
  });

  test("is not trusted again when an older version arrives late", () => {
    epochs.note("a", 7);
    epochs.note("a", 6);
    expect(epochs.isCurrent("a", 6)).toBe(false);
  });

  test("stays untrusted as long as it can live, however many versions of other users arrive", () => {
    epochs.note("a", 7);
    clock.advance(keptMs);
    epochs.note("b", 1);
    epochs.hear(clock.now());
    expect(epochs.isCurrent("a", 6)).toBe(false);
  });

  test("that can no longer exist needs no stored version", () => {
    epochs.note("a", 7);
    epochs.note("b", 7);
    clock.advance(1);
    epochs.note("b", 8);
    clock.advance(keptMs);
    epochs.note("c", 1);
    epochs.hear(clock.now());
    expect(["a", "b"].map((userId) => epochs.isCurrent(userId, 1))).toEqual([true, false]);
  });

  test("is not confused by names that objects have", () => {
    expect(epochs.isCurrent("__proto__", 1)).toBe(true);
    epochs.note("constructor", 2);
    expect(epochs.isCurrent("constructor", 1)).toBe(false);
  });
});

describe("no cached session is trusted", () => {
  const isBelieved = () => epochs.isTrusted() && epochs.isCurrent("a", 1);

  test("before the first reply", () => {
    epochs.note("a", 1);
    expect(isBelieved()).toBe(false);
  });

  test("once the last reply is too old, until the next one", () => {
    epochs.hear(clock.now());
    clock.advance(trustMs);
    expect(isBelieved()).toBe(true);
    clock.advance(1);
    expect(isBelieved()).toBe(false);
    epochs.hear(clock.now());
    expect(isBelieved()).toBe(true);
  });

  test("after a reply that took too long", () => {
    const askedAt = clock.now();
    clock.advance(trustMs + 1);
    epochs.hear(askedAt);
    expect(isBelieved()).toBe(false);
  });

  test("while the clock is behind the last reply", () => {
    epochs.hear(clock.now());
    clock.advance(-1);
    expect(isBelieved()).toBe(false);
  });
});
