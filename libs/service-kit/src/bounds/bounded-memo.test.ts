import { expect, test } from "vitest";
import { createBoundedMemo } from "./bounded-memo.ts";

const keysOf = (memo: { get(key: string): unknown }, keys: string) =>
  [...keys].filter((key) => memo.get(key) !== undefined).join("");

test("evicts the oldest entry by count", () => {
  const memo = createBoundedMemo<number>({ entriesMax: 2, charactersMax: 100 });
  for (const key of "abc") memo.set(key, { entry: 1, characters: 1 });
  expect(keysOf(memo, "abc")).toBe("bc");
});

test("evicts the oldest entry by size, including keys", () => {
  const memo = createBoundedMemo<number>({ entriesMax: 100, charactersMax: 10 });
  for (const key of "abc") memo.set(key, { entry: 1, characters: 3 });
  expect(keysOf(memo, "abc")).toBe("bc");
  memo.set("d", { entry: 1, characters: 9 });
  expect(keysOf(memo, "abcd")).toBe("d");
});

test("does not store an entry that exceeds the limit", () => {
  const memo = createBoundedMemo<number>({ entriesMax: 100, charactersMax: 10 });
  memo.set("a", { entry: 1, characters: 10 });
  expect(keysOf(memo, "a")).toBe("");
});

test("counts a replaced entry once, as the latest", () => {
  const memo = createBoundedMemo<number>({ entriesMax: 2, charactersMax: 10 });
  for (const key of "abac") memo.set(key, { entry: 1, characters: 4 });
  expect(keysOf(memo, "abc")).toBe("ac");
});
