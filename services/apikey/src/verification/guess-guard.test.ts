import { WireError } from "@latchkey/contracts";
import { createTestClock } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createGuessGuard } from "./guess-guard.ts";

const arrange = (max = 3) => {
  const clock = createTestClock();
  const config = { apiKey: { unknownKeys: { window: 60, max } } };
  const guard = createGuessGuard({ clock: clock.now, config });
  const ask = (service: string, stored = "unknown") => {
    guard.admit(service, stored);
    guard.noteUnknown(service);
  };
  return { clock, guard, ask };
};

const refusalOf = (work: () => void): WireError => {
  try {
    work();
  } catch (error) {
    if (error instanceof WireError) return error;
  }
  throw new Error("nothing was refused");
};

test("a service that has asked about too many unknown keys is refused, and told when the window ends", () => {
  const { clock, ask } = arrange();
  ask("billing");
  clock.advance(10_500);
  ask("billing");
  ask("billing");
  expect(refusalOf(() => ask("billing"))).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    retryAfterSeconds: 50,
  });
  clock.advance(49_500);
  expect(() => ask("billing")).not.toThrow();
});

test("keys that were good lately go on meanwhile, for every service", () => {
  const { guard, ask } = arrange();
  guard.noteGood("good");
  for (let count = 0; count < 3; count += 1) ask("billing");
  expect(() => guard.admit("billing", "good")).not.toThrow();
  expect(refusalOf(() => guard.admit("billing", "new")).code).toBe("TOO_MANY_REQUESTS");
});

test("one service's guesses shut out no other service", () => {
  const { ask } = arrange();
  for (let count = 0; count < 3; count += 1) ask("billing");
  expect(() => ask("search")).not.toThrow();
});

test("good keys count for nothing, however many", () => {
  const { guard } = arrange();
  for (let count = 0; count < 100; count += 1) {
    guard.admit("billing", `good ${count}`);
    guard.noteGood(`good ${count}`);
  }
  expect(() => guard.admit("billing", "new")).not.toThrow();
});

test("a window begins anew once it is over", () => {
  const { clock, ask } = arrange(1);
  for (let count = 0; count < 5; count += 1) {
    ask("billing");
    expect(refusalOf(() => ask("billing")).code).toBe("TOO_MANY_REQUESTS");
    clock.advance(60_000);
  }
});
