import { expect, test } from "vitest";
import { differenceOf } from "./difference-of.ts";

test("each member is told as it was and as it became, those that changed first", () => {
  const before = { name: "Ada", role: "user", tags: ["a"] };
  const after = { name: "Ada", role: "admin", tags: ["a", "b"] };
  expect(differenceOf(before, after)).toEqual([
    { member: "role", before: '"user"', after: '"admin"', isChanged: true },
    { member: "tags", before: '["a"]', after: '["a","b"]', isChanged: true },
    { member: "name", before: '"Ada"', after: '"Ada"', isChanged: false },
  ]);
});

test("what was made has no before, what was deleted no after", () => {
  expect(differenceOf(null, { a: 1 })).toEqual([
    { member: "a", before: undefined, after: "1", isChanged: true },
  ]);
  expect(differenceOf({ a: null }, null)).toEqual([
    { member: "a", before: "null", after: undefined, isChanged: true },
  ]);
  expect(differenceOf(null, null)).toEqual([]);
});

test("members named like those of every object are members like others", () => {
  expect(differenceOf({}, JSON.parse('{"__proto__":1}') as Record<string, unknown>)).toEqual([
    { member: "__proto__", before: undefined, after: "1", isChanged: true },
  ]);
});
