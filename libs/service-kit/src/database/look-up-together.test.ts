import { expect, test, vi } from "vitest";
import { lookUpTogether } from "./look-up-together.ts";

interface Found {
  id: number;
  at: number;
}

/** A store that records its statements and holds the even keys. */
const createStore = () => {
  const statements: (readonly number[])[] = [];
  const find = lookUpTogether<number, Found>({
    nameOf: String,
    keyOf: ({ id }) => id,
    read: async (keys) => {
      if (keys.includes(-1)) throw new Error("away");
      const at = statements.push(keys);
      return keys.filter((key) => key % 2 === 0).map((id) => ({ id, at }));
    },
  });
  return { statements, find };
};

test("combines simultaneous look-ups into one statement", async () => {
  const { statements, find } = createStore();
  const results = await Promise.all([4, 3, 2, 4].map((key) => find(key)));
  expect(results.map((one) => one?.id)).toEqual([4, undefined, 2, 4]);
  expect(statements).toHaveLength(1);
});

test("does not cache results", async () => {
  const { find } = createStore();
  const [first, second] = [await find(2), await find(2)];
  expect([first?.at, second?.at]).toEqual([1, 2]);
});

test("limits a statement to 64 keys", async () => {
  const { statements, find } = createStore();
  const keys = Array.from({ length: 150 }, (_, index) => index * 2);
  const results = await Promise.all(keys.map((key) => find(key)));
  expect(results.map((one) => one?.id)).toEqual(keys);
  expect(statements.map(({ length }) => length)).toEqual([64, 64, 22]);
});

test("rejects all look-ups of a failed statement, and no later ones", async () => {
  const { find } = createStore();
  const shared = await Promise.allSettled([find(2), find(-1)]);
  expect(shared.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await find(2)).toMatchObject({ id: 2 });
});

test("collects look-ups while the maximum number of statements is running", async () => {
  const statements: { keys: readonly number[]; answer: PromiseWithResolvers<void> }[] = [];
  const find = lookUpTogether<number, { id: number }>({
    nameOf: String,
    keyOf: ({ id }) => id,
    statementsMax: 2,
    read: async (keys) => {
      const answer = Promise.withResolvers<void>();
      statements.push({ keys, answer });
      await answer.promise;
      return keys.map((id) => ({ id }));
    },
  });
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  const lookUps: Promise<unknown>[] = [];
  for (const key of [1, 2, 3, 4]) {
    lookUps.push(find(key));
    await turn();
  }
  for (let key = 5; key < 70; key += 1) lookUps.push(find(key));
  await turn();
  expect(statements.map(({ keys }) => keys.length)).toEqual([1, 1]);
  statements[1]?.answer.resolve();
  await turn();
  statements[0]?.answer.resolve();
  await turn();
  expect(statements.map(({ keys }) => keys.length)).toEqual([1, 1, 64, 3]);
  for (const { answer } of statements) answer.resolve();
  expect(await Promise.all(lookUps)).toEqual(
    Array.from({ length: 69 }, (_, index) => ({ id: index + 1 })),
  );
});

test("waits for a running statement no longer than allowed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const statements: { keys: readonly number[]; answer: PromiseWithResolvers<void> }[] = [];
    const find = lookUpTogether<number, { id: number }>({
      nameOf: String,
      keyOf: ({ id }) => id,
      statementsMax: 1,
      waitMilliseconds: 10,
      read: async (keys) => {
        const answer = Promise.withResolvers<void>();
        statements.push({ keys, answer });
        await answer.promise;
        return keys.map((id) => ({ id }));
      },
    });
    const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
    const silent = find(1);
    await turn();
    const lookUps = [find(2), find(3)];
    await turn();
    vi.advanceTimersByTime(9);
    expect(statements.map(({ keys }) => keys)).toEqual([[1]]);
    vi.advanceTimersByTime(1);
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([[1], [2, 3]]);
    statements[1]?.answer.resolve();
    expect(await Promise.all(lookUps)).toEqual([{ id: 2 }, { id: 3 }]);
    statements[0]?.answer.resolve();
    expect(await silent).toEqual({ id: 1 });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
