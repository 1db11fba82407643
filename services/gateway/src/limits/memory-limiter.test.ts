import { describe, expect, test } from "vitest";
import { createMemoryLimiter } from "./choose-limiter.ts";

const rule = { windowSeconds: 10, max: 3 };

function arrange(keyCountMax?: number) {
  const time = { now: 1_700_000_000_000 };
  const clock = () => time.now;
  const limiter = createMemoryLimiter(
    keyCountMax === undefined ? { clock } : { clock, keyCountMax },
  );
  return { time, limiter, hit: (key = "a", asked = rule) => limiter.hit(key, asked) };
}

describe("the memory limiter", () => {
  test("of 16 callers with a maximum of 3, exactly 3 pass", async () => {
    const { limiter } = arrange();
    const decisions = await Promise.all(
      Array.from({ length: 16 }, async () => limiter.hit("a", rule)),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
  });

  test("the window is fixed from its first request", () => {
    const { time, hit } = arrange();
    hit();
    time.now += 9000;
    hit();
    hit();
    expect(hit()).toEqual({ allowed: false, retryAfterSeconds: 1 });
    time.now += 1000;
    expect(hit()).toEqual({ allowed: true });
  });

  test("a reset ends the windows of its keys only, and counts those that were open", () => {
    const { time, limiter, hit } = arrange();
    for (const key of ["a", "b"]) for (let count = 0; count < 3; count++) hit(key);
    expect(limiter.reset(["a", "unknown"])).toBe(1);
    expect([hit("a").allowed, hit("b").allowed]).toEqual([true, false]);
    time.now += 10_000;
    expect(limiter.reset(["b"])).toBe(0);
  });

  test("a refused request does not extend the window", () => {
    const { time, hit } = arrange();
    for (let count = 0; count < 3; count++) hit();
    for (let second = 0; second < 10; second++) {
      expect(hit()).toEqual({ allowed: false, retryAfterSeconds: 10 - second });
      time.now += 1000;
    }
    expect(hit()).toEqual({ allowed: true });
  });

  test("a new window starts to count at one", () => {
    const { time, hit } = arrange();
    for (let count = 0; count < 5; count++) hit();
    time.now += 10_000;
    expect([hit(), hit(), hit(), hit()]).toEqual([
      { allowed: true },
      { allowed: true },
      { allowed: true },
      { allowed: false, retryAfterSeconds: 10 },
    ]);
  });

  test("the retry time is whole seconds, rounded up, at least one", () => {
    const { time, hit } = arrange();
    for (let count = 0; count < 3; count++) hit();
    time.now += 7999;
    expect(hit()).toEqual({ allowed: false, retryAfterSeconds: 3 });
    time.now += 2000;
    expect(hit()).toEqual({ allowed: false, retryAfterSeconds: 1 });
  });

  test("each key has its own count", () => {
    const { hit } = arrange();
    for (let count = 0; count < 4; count++) hit("a");
    expect(hit("b")).toEqual({ allowed: true });
  });

  test("a maximum of 0 refuses every request", () => {
    const { hit } = arrange();
    expect(hit("a", { windowSeconds: 5, max: 0 })).toEqual({
      allowed: false,
      retryAfterSeconds: 5,
    });
  });

  /** Attack: enough addresses to fill the table, so that earlier guesses are no longer counted. */
  test("beyond the bound no count is lost, however many addresses there are", () => {
    const { hit } = arrange(100);
    for (let count = 0; count < 3; count++) hit("guesser");
    for (let index = 0; index < 10_000; index++) hit(`flood-${index}`);
    expect(hit("guesser")).toMatchObject({ allowed: false });
  });

  test("beyond the bound a new client gets at most the rule's requests, even after the table has room again", () => {
    const { time, hit } = arrange(2);
    hit("a", { windowSeconds: 5, max: 3 });
    hit("b", { windowSeconds: 5, max: 3 });
    const newcomer = () => [hit("c"), hit("c")].map(({ allowed }) => allowed);
    expect(newcomer()).toEqual([true, true]);
    time.now += 5000;
    hit("d");
    expect(newcomer()).toEqual([true, false]);
    time.now += 5000;
    expect(newcomer()).toEqual([true, true]);
  });

  test("beyond the bound the number of shared counts is limited for each rule", () => {
    const { hit } = arrange(1);
    const once = { windowSeconds: 10, max: 1 };
    hit("full", once);
    let allowed = 0;
    for (let index = 0; index < 300_000; index++) if (hit(`x${index}`, once).allowed) allowed += 1;
    expect(allowed).toBeGreaterThan(60_000);
    expect(allowed).toBeLessThanOrEqual(65_536);
    expect(hit("newcomer", { windowSeconds: 10, max: 100 })).toEqual({ allowed: true });
  });

  /** Attack: a long window at the head of the table, which hides expired short ones behind it. */
  test("expired windows make room, however long the windows that started before them are", () => {
    const { time, hit } = arrange(3);
    const once = { windowSeconds: 10, max: 1 };
    hit("long", { windowSeconds: 3600, max: 1 });
    for (let round = 0; round < 5; round++) {
      expect(hit(`a${round}`, once)).toEqual({ allowed: true });
      expect(hit(`b${round}`, { windowSeconds: 1, max: 1 })).toEqual({ allowed: true });
      time.now += 10_000;
    }
    expect(hit("long", { windowSeconds: 3600, max: 1 })).toMatchObject({ allowed: false });
  });

  /** Attack: a flood of addresses that would make every request search the whole table. */
  test.each([
    ["a new address", "new"],
    ["one that has a window", "key-1"],
  ])("a full table is searched no more than an almost empty one: %s", (_who, key) => {
    /** Returns how many windows a request inspects in a table with so many windows, which expire after so long. */
    const looksIn = (keyCount: number, passedMs: number): number => {
      let now = 1_700_000_000_000;
      let looks = 0;
      // An expiry check compares the window's end with the time, which this counts.
      const clock = () =>
        ({
          valueOf: () => {
            looks += 1;
            return now;
          },
        }) as unknown as number; // converted like a number in a comparison
      const limiter = createMemoryLimiter({ clock, keyCountMax: 5_000 });
      for (let index = 0; index < keyCount; index++) limiter.hit(`key-${index}`, rule);
      now += passedMs;
      looks = 0;
      limiter.hit(key, rule);
      return looks;
    };
    for (const passedMs of [0, 10_000]) expect(looksIn(5_000, passedMs)).toBe(looksIn(2, passedMs));
  });
});
