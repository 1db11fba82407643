import { createTestClock, until } from "@latchkey/testkit";
import { expect, test } from "vitest";
import { createRefreshingCopy } from "./refreshing-copy.ts";

/** What lies elsewhere: counts readings, and answers each one when told to. */
const createElsewhere = () => {
  const clock = createTestClock();
  const failures: unknown[] = [];
  const readings: (PromiseWithResolvers<string> & { previous: string | undefined })[] = [];
  const copy = createRefreshingCopy<string>({
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
    const got = copy.get();
    answer(value);
    return got;
  };
  return { clock, failures, readings, copy, answer, fail, first };
};
const away = new Error("away");

test("16 first uses at once read once, and all get what was read", async () => {
  const { copy, readings, answer } = createElsewhere();
  const got = Array.from({ length: 16 }, () => copy.get());
  answer("one");
  expect(await Promise.all(got)).toEqual(Array.from(got, () => "one"));
  expect(readings.map(({ previous }) => previous)).toEqual([undefined]);
});

test("a fresh copy is not read again", async () => {
  const { clock, copy, readings, first } = createElsewhere();
  await first("one");
  clock.advance(29_999);
  expect([await copy.get(), readings.length]).toEqual(["one", 1]);
});

test("an older copy is read again once, while it serves everybody", async () => {
  const { clock, copy, readings, answer, first } = createElsewhere();
  await first("one");
  clock.advance(30_000);
  expect(await Promise.all([copy.get(), copy.get()])).toEqual(["one", "one"]);
  expect(readings.map(({ previous }) => previous)).toEqual([undefined, "one"]);
  answer("two");
  await until(async () => (await copy.get()) === "two");
  expect(readings).toHaveLength(2);
});

test("a copy that nobody has used for a minute is not given out", async () => {
  const { clock, copy, answer, first } = createElsewhere();
  await first("one");
  clock.advance(60_000);
  const got = copy.get();
  answer("two");
  expect(await got).toBe("two");
});

test("an expired copy is not given out", async () => {
  const { copy, answer, first } = createElsewhere();
  copy.expire();
  await first("one");
  copy.expire();
  const got = copy.get();
  answer("two");
  expect(await got).toBe("two");
});

test("while the other side is away the copy stays in use, and is tried again after a while only", async () => {
  const { clock, copy, failures, readings, fail, answer, first } = createElsewhere();
  await first("one");
  clock.advance(3_600_000);
  const got = copy.get();
  fail(away);
  expect([await got, failures]).toEqual(["one", [away]]);
  clock.advance(29_999);
  expect([await copy.get(), readings.length]).toEqual(["one", 2]);
  clock.advance(1);
  expect(await copy.get()).toBe("one");
  answer("two");
  await until(async () => (await copy.get()) === "two");
});

test("without a copy a failure is everybody's for a second, then it is tried again", async () => {
  const { clock, copy, failures, readings, fail, first } = createElsewhere();
  const got = Array.from({ length: 16 }, () => copy.get());
  fail(away);
  for (const outcome of await Promise.allSettled(got))
    expect(outcome).toEqual({ status: "rejected", reason: away });
  clock.advance(999);
  await expect(copy.get()).rejects.toBe(away);
  expect([readings.length, failures]).toEqual([1, [away]]);
  clock.advance(1);
  expect(await first("one")).toBe("one");
});
