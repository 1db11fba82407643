import { expect, test } from "vitest";
import { mergeSorted } from "./merge-sorted.ts";

async function* counted(items: readonly number[], onAsk: () => void = () => {}) {
  for (const item of items) {
    onAsk();
    yield item;
  }
}

const takeAll = async (merged: AsyncIterable<number>): Promise<number[]> => {
  const items: number[] = [];
  for await (const item of merged) items.push(item);
  return items;
};

const ascending = (one: number, other: number) => one - other;

test("merges sorted sequences of any length", async () => {
  const sources = [counted([2, 5, 6, 9]), counted([]), counted([1, 7]), counted([3])];
  expect(await takeAll(mergeSorted(sources, ascending))).toEqual([1, 2, 3, 5, 6, 7, 9]);
});

test("reads no more of a sequence than it needs", async () => {
  let readCount = 0;
  const many = counted([1, 2, 3, 4, 5], () => (readCount += 1));
  const merged = mergeSorted([many], ascending);
  await merged.next();
  await merged.next();
  expect(readCount).toBe(2);
});

test("fails when one sequence fails", async () => {
  async function* failing() {
    yield 1;
    throw new Error("gone");
  }
  const merged = mergeSorted([failing(), counted([5])], ascending);
  expect((await merged.next()).value).toBe(1);
  await expect(merged.next()).rejects.toThrow("gone");
});
