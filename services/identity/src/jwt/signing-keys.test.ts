import { createTestClock, until } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createRefreshingValue } from "./signing-keys.ts";

/** A remote source that counts reads, and answers each one when the test says so. */
const createElsewhere = () => {
  const clock = createTestClock();
  const failures: unknown[] = [];
  const readings: (PromiseWithResolvers<string> & { previous: string | undefined })[] = [];
  const cached = createRefreshingValue<string>({
    clock: clock.now,
    freshMilliseconds: 30_000,
    read: (previous) => {
      const reading = { ...Promise.withResolvers<string>(), previous };
      readings.push(reading);
      return reading.promise;
    },
    onFailure: (error) => failures.push(error),
  });
  const answer = (value: string) => readings.at(-1)?.resolve(value);
  const fail = (error: Error) => readings.at(-1)?.reject(error);
  const first = async (value: string) => {
    const got = cached.get();
    answer(value);
    return got;
  };
  return { clock, failures, readings, cached, answer, fail, first };
};
const away = new Error("away");

test("reads once for 16 concurrent first uses", async () => {
  const { cached, readings, answer } = createElsewhere();
  const got = Array.from({ length: 16 }, () => cached.get());
  answer("one");
  expect(await Promise.all(got)).toEqual(Array.from(got, () => "one"));
  expect(readings.map(({ previous }) => previous)).toEqual([undefined]);
});

test("does not read a fresh cached again", async () => {
  const { clock, cached, readings, first } = createElsewhere();
  await first("one");
  clock.advance(29_999);
  expect([await cached.get(), readings.length]).toEqual(["one", 1]);
});

test("reads an older cached again once, and serves it meanwhile", async () => {
  const { clock, cached, readings, answer, first } = createElsewhere();
  await first("one");
  clock.advance(30_000);
  expect(await Promise.all([cached.get(), cached.get()])).toEqual(["one", "one"]);
  expect(readings.map(({ previous }) => previous)).toEqual([undefined, "one"]);
  answer("two");
  await until(async () => (await cached.get()) === "two");
  expect(readings).toHaveLength(2);
});

test("does not serve a cached that was unused for a minute", async () => {
  const { clock, cached, answer, first } = createElsewhere();
  await first("one");
  clock.advance(60_000);
  const got = cached.get();
  answer("two");
  expect(await got).toBe("two");
});

test("does not serve an expired cached", async () => {
  const { cached, answer, first } = createElsewhere();
  cached.expire();
  await first("one");
  cached.expire();
  const got = cached.get();
  answer("two");
  expect(await got).toBe("two");
});

test("keeps serving the cached while the source is down, and retries only after a while", async () => {
  const { clock, cached, failures, readings, fail, answer, first } = createElsewhere();
  await first("one");
  clock.advance(3_600_000);
  const got = cached.get();
  fail(away);
  expect([await got, failures]).toEqual(["one", [away]]);
  clock.advance(29_999);
  expect([await cached.get(), readings.length]).toEqual(["one", 2]);
  clock.advance(1);
  expect(await cached.get()).toBe("one");
  answer("two");
  await until(async () => (await cached.get()) === "two");
});

test("without a cached, repeats a failure for a second and then retries", async () => {
  const { clock, cached, failures, readings, fail, first } = createElsewhere();
  const got = Array.from({ length: 16 }, () => cached.get());
  fail(away);
  for (const outcome of await Promise.allSettled(got))
    expect(outcome).toEqual({ status: "rejected", reason: away });
  clock.advance(999);
  await expect(cached.get()).rejects.toBe(away);
  expect([readings.length, failures]).toEqual([1, [away]]);
  clock.advance(1);
  expect(await first("one")).toBe("one");
});
