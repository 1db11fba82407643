import { expect, test } from "vitest";
import { createLogger } from "../observe/logger.ts";
import { createDailyTally } from "./daily-tally.ts";
import { keepWriting } from "./keep-writing.ts";

interface Row {
  day: string;
  name: string;
  count: number;
}

/** Opens a tally and a store that may reject writes. */
const openTally = (clock = () => Date.parse("2030-01-02T12:00:00.000Z")) => {
  const saved: Record<string, number> = {};
  const batches: number[] = [];
  const store = { refuses: (_row: Row) => false };
  const tally = createDailyTally<string, Row>({
    clock,
    nameOf: (name) => name,
    newRow: (name, day) => ({ day, name, count: 0 }),
    add: (to, from) => {
      to.count += from.count;
    },
    write: async (rows) => {
      await Promise.resolve();
      if (rows.some(store.refuses)) throw new Error("refused");
      batches.push(rows.length);
      for (const { day, name, count } of rows) {
        const key = `${day} ${name}`;
        saved[key] = (saved[key] ?? 0) + count;
      }
    },
  });
  return {
    tally,
    saved,
    batches,
    store,
    count: (name: string) => {
      tally.rowOf(name).count += 1;
    },
  };
};

test("writes each name and day once, and nothing without counts", async () => {
  const { tally, saved, batches, count } = openTally();
  for (const name of ["a", "b", "a"]) count(name);
  await tally.flush();
  await tally.flush();
  expect(saved).toEqual({ "2030-01-02 a": 2, "2030-01-02 b": 1 });
  expect(batches).toEqual([2]);
});

test("changes the day at midnight UTC, also backwards", async () => {
  let now = Date.parse("2030-01-02T23:59:59.999Z");
  const { tally, saved, count } = openTally(() => now);
  count("a");
  now += 1;
  count("a");
  now -= 1;
  count("a");
  await tally.flush();
  expect(saved).toEqual({ "2030-01-02 a": 2, "2030-01-03 a": 1 });
});

test("loses and repeats nothing after a failed write", async () => {
  const { tally, saved, store, count } = openTally();
  count("a");
  store.refuses = () => true;
  const failing = tally.flush();
  count("a");
  count("b");
  await expect(failing).rejects.toThrow("refused");
  store.refuses = () => false;
  await tally.flush();
  expect(saved).toEqual({ "2030-01-02 a": 2, "2030-01-02 b": 1 });
});

test("keeps the written batches if a later one fails", async () => {
  const { tally, saved, batches, store, count } = openTally();
  const names = Array.from({ length: 2_500 }, (_, index) => `n${index}`);
  for (const name of names) count(name);
  store.refuses = ({ name }) => name === "n1500";
  await expect(tally.flush()).rejects.toThrow("refused");
  expect(batches).toEqual([1_000]);
  store.refuses = () => false;
  await tally.flush();
  expect(Object.keys(saved)).toHaveLength(2_500);
  expect(new Set(Object.values(saved))).toEqual(new Set([1]));
});

test("writes the remaining counts at a stop", async () => {
  const { tally, saved, count } = openTally();
  const writing = keepWriting(tally, createLogger({ service: "test", level: "silent" }));
  count("a");
  await writing.stop();
  expect(saved).toEqual({ "2030-01-02 a": 1 });
});
