import { describe, expect, test } from "vitest";
import { createGuardedLimiter } from "./guarded-limiter.ts";
import type { Limiter } from "./limiter.ts";
import { createMemoryLimiter } from "./choose-limiter.ts";

const rule = { windowSeconds: 10, max: 1 };

function arrange(answer: Limiter["hit"]) {
  const time = { now: 0 };
  const clock = () => time.now;
  const remote = { answer, calls: 0, reset: (): number | Promise<number> => 1 };
  const warnings: unknown[] = [];
  const limiter = createGuardedLimiter({
    remote: {
      hit: (key, asked) => {
        remote.calls++;
        return remote.answer(key, asked);
      },
      reset: () => remote.reset(),
    },
    fallback: createMemoryLimiter({ clock }),
    deadlineMs: 20,
    clock,
    warn: (_message, error) => warnings.push(error),
  });
  return { time, remote, warnings, limiter, hit: (key = "a") => limiter.hit(key, rule) };
}

const down = () => Promise.reject(new Error("down"));
const silent = () => new Promise<never>(() => {});
const broken = () => {
  throw new Error("broken");
};

describe("the guarded limiter", () => {
  test("a working remote limiter decides alone", async () => {
    const { hit, warnings } = arrange(() => ({ allowed: true }));
    expect([await hit(), await hit()]).toEqual([{ allowed: true }, { allowed: true }]);
    expect(warnings).toEqual([]);
  });

  test("passes on a refusal of the remote limiter", async () => {
    const { hit } = arrange(async () => ({ allowed: false, retryAfterSeconds: 7 }));
    expect(await hit()).toEqual({ allowed: false, retryAfterSeconds: 7 });
  });

  test.each([
    ["rejects", down],
    ["never answers", silent],
    ["throws", broken],
  ])("limits apply per process while the remote limiter %s", async (_case, answer) => {
    const { hit, warnings } = arrange(answer);
    expect(await hit()).toEqual({ allowed: true });
    expect(await hit()).toEqual({ allowed: false, retryAfterSeconds: 10 });
    expect(warnings).toHaveLength(1);
  });

  /** Attack: overloading the store, so that earlier guesses are no longer counted. */
  test("a client that has exhausted a limit, or was refused by the remote limiter, stays refused during an outage", async () => {
    const { remote, hit } = arrange(() => ({ allowed: true }));
    await hit("spent");
    remote.answer = () => ({ allowed: false, retryAfterSeconds: 7 });
    await hit("refused");
    remote.answer = down;
    expect(await hit("spent")).toEqual({ allowed: false, retryAfterSeconds: 10 });
    expect(await hit("refused")).toEqual({ allowed: false, retryAfterSeconds: 10 });
    expect(await hit("new")).toEqual({ allowed: true });
  });

  test("calls a failing remote limiter once a second, so that an outage does not slow down every request", async () => {
    const { time, remote, hit } = arrange(silent);
    await hit();
    await Promise.all(Array.from({ length: 16 }, async () => hit()));
    expect(remote.calls).toBe(1);
    time.now += 1000;
    await Promise.all(Array.from({ length: 16 }, async () => hit()));
    expect(remote.calls).toBe(2);
  });

  test("a recovered remote limiter decides again", async () => {
    const { time, remote, hit } = arrange(down);
    await hit();
    remote.answer = () => ({ allowed: true });
    expect(await hit()).toMatchObject({ allowed: false });
    time.now += 1000;
    expect(await hit()).toEqual({ allowed: true });
    expect(await hit()).toEqual({ allowed: true });
    expect(remote.calls).toBe(3);
  });

  test("warns about an outage at most once in ten seconds", async () => {
    const { time, hit, warnings } = arrange(down);
    for (let second = 0; second < 20; second++) {
      await hit();
      time.now += 1000;
    }
    expect(warnings).toHaveLength(2);
  });

  test("a reset ends the windows of the remote limiter and of the fallback", async () => {
    const { remote, limiter, hit } = arrange(() => ({ allowed: true }));
    await hit("a");
    expect(await limiter.reset(["a"])).toBe(1);
    remote.answer = down;
    expect(await hit("a")).toEqual({ allowed: true });
  });

  test.each([
    ["rejects", down],
    ["never answers", silent],
  ])("a reset fails as unavailable while the remote limiter %s", async (_case, reset) => {
    const { remote, limiter } = arrange(() => ({ allowed: true }));
    remote.reset = reset;
    await expect(limiter.reset(["a"])).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
