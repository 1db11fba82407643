import { createTestClock } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createUserRevisions, type UserRevisions } from "./user-revisions.ts";

const cachedSeconds = 300;
const keptMs = 420_000;
const trustMs = 2_500;

let clock: ReturnType<typeof createTestClock>;
let revisions: UserRevisions;
beforeEach(() => {
  clock = createTestClock();
  revisions = createUserRevisions({ clock: clock.now, cachedSeconds });
});

describe("a cached session", () => {
  beforeEach(() => revisions.recordKnownUntil(clock.now()));

  test("of a user without a new revision is trusted", () => {
    expect(revisions.isCurrent("a", 0)).toBe(true);
  });

  test("of an earlier revision than the user's is not trusted from that moment on", () => {
    revisions.note("a", 7);
    expect([6, 7, 8].map((epoch) => revisions.isCurrent("a", epoch))).toEqual([false, true, true]);
    expect(revisions.isCurrent("b", 6)).toBe(true);
  });

  test("is not trusted again when an older revision arrives late", () => {
    revisions.note("a", 7);
    revisions.note("a", 6);
    expect(revisions.isCurrent("a", 6)).toBe(false);
  });

  test("stays untrusted as long as it can live, however many revisions of other users arrive", () => {
    revisions.note("a", 7);
    clock.advance(keptMs);
    revisions.note("b", 1);
    revisions.recordKnownUntil(clock.now());
    expect(revisions.isCurrent("a", 6)).toBe(false);
  });

  test("that can no longer exist needs no stored revision", () => {
    revisions.note("a", 7);
    revisions.note("b", 7);
    clock.advance(1);
    revisions.note("b", 8);
    clock.advance(keptMs);
    revisions.note("c", 1);
    revisions.recordKnownUntil(clock.now());
    expect(["a", "b"].map((userId) => revisions.isCurrent(userId, 1))).toEqual([true, false]);
  });

  test("is not confused by names that objects have", () => {
    expect(revisions.isCurrent("__proto__", 1)).toBe(true);
    revisions.note("constructor", 2);
    expect(revisions.isCurrent("constructor", 1)).toBe(false);
  });
});

describe("no cached session is trusted", () => {
  const isBelieved = () => revisions.isTrusted() && revisions.isCurrent("a", 1);

  test("before the first reply", () => {
    revisions.note("a", 1);
    expect(isBelieved()).toBe(false);
  });

  test("once the last reply is too old, until the next one", () => {
    revisions.recordKnownUntil(clock.now());
    clock.advance(trustMs);
    expect(isBelieved()).toBe(true);
    clock.advance(1);
    expect(isBelieved()).toBe(false);
    revisions.recordKnownUntil(clock.now());
    expect(isBelieved()).toBe(true);
  });

  test("after a reply that took too long", () => {
    const askedAt = clock.now();
    clock.advance(trustMs + 1);
    revisions.recordKnownUntil(askedAt);
    expect(isBelieved()).toBe(false);
  });

  test("while the clock is behind the last reply", () => {
    revisions.recordKnownUntil(clock.now());
    clock.advance(-1);
    expect(isBelieved()).toBe(false);
  });
});
