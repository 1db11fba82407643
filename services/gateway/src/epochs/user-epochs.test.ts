import { createTestClock } from "@latchkey/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { createUserEpochs, type UserEpochs } from "./user-epochs.ts";

const cachedSeconds = 300;
const keptMs = 420_000;
const trustMs = 2_500;

let clock: ReturnType<typeof createTestClock>;
let epochs: UserEpochs;
beforeEach(() => {
  clock = createTestClock();
  epochs = createUserEpochs({ clock: clock.now, cachedSeconds });
});

describe("a cached session", () => {
  beforeEach(() => epochs.hear(clock.now()));

  test("of a user whom nothing happened to is believed", () => {
    expect(epochs.isCurrent("a", 0)).toBe(true);
  });

  test("of an epoch before the user's is not, from that very moment", () => {
    epochs.note("a", 7);
    expect([6, 7, 8].map((epoch) => epochs.isCurrent("a", epoch))).toEqual([false, true, true]);
    expect(epochs.isCurrent("b", 6)).toBe(true);
  });

  test("is not believed again because an older epoch is heard of late", () => {
    epochs.note("a", 7);
    epochs.note("a", 6);
    expect(epochs.isCurrent("a", 6)).toBe(false);
  });

  test("is not outlived by what is known of its user, however often others move on", () => {
    epochs.note("a", 7);
    clock.advance(keptMs);
    epochs.note("b", 1);
    epochs.hear(clock.now());
    expect(epochs.isCurrent("a", 6)).toBe(false);
  });

  test("that cannot be about any more needs nothing to be known", () => {
    epochs.note("a", 7);
    epochs.note("b", 7);
    clock.advance(1);
    epochs.note("b", 8);
    clock.advance(keptMs);
    epochs.note("c", 1);
    epochs.hear(clock.now());
    expect(["a", "b"].map((userId) => epochs.isCurrent(userId, 1))).toEqual([true, false]);
  });

  test("is not tied to names that objects have", () => {
    expect(epochs.isCurrent("__proto__", 1)).toBe(true);
    epochs.note("constructor", 2);
    expect(epochs.isCurrent("constructor", 1)).toBe(false);
  });
});

describe("nothing is believed", () => {
  const isBelieved = () => epochs.isTrusted() && epochs.isCurrent("a", 1);

  test("before anything was heard", () => {
    epochs.note("a", 1);
    expect(isBelieved()).toBe(false);
  });

  test("once the last that was heard is too old, and again when something is", () => {
    epochs.hear(clock.now());
    clock.advance(trustMs);
    expect(isBelieved()).toBe(true);
    clock.advance(1);
    expect(isBelieved()).toBe(false);
    epochs.hear(clock.now());
    expect(isBelieved()).toBe(true);
  });

  test("of an answer that was long under way", () => {
    const askedAt = clock.now();
    clock.advance(trustMs + 1);
    epochs.hear(askedAt);
    expect(isBelieved()).toBe(false);
  });

  test("while the clock is behind what was heard", () => {
    epochs.hear(clock.now());
    clock.advance(-1);
    expect(isBelieved()).toBe(false);
  });
});
