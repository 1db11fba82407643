import { expect, test } from "vitest";
import { differenceOf } from "./difference-of.ts";

test("lists each member with its old and new value, changed ones first", () => {
  const before = { name: "Ada", role: "user", tags: ["a"] };
  const after = { name: "Ada", role: "admin", tags: ["a", "b"] };
  expect(differenceOf(before, after)).toEqual([
    { member: "role", before: '"user"', after: '"admin"', isChanged: true },
    { member: "tags", before: '["a"]', after: '["a","b"]', isChanged: true },
    { member: "name", before: '"Ada"', after: '"Ada"', isChanged: false },
  ]);
});

test("gives no old value for a created member and no new value for a deleted one", () => {
  expect(differenceOf(null, { a: 1 })).toEqual([
    { member: "a", before: undefined, after: "1", isChanged: true },
  ]);
  expect(differenceOf({ a: null }, null)).toEqual([
    { member: "a", before: "null", after: undefined, isChanged: true },
  ]);
  expect(differenceOf(null, null)).toEqual([]);
});

test("handles members named like those of Object.prototype", () => {
  expect(differenceOf({}, JSON.parse('{"__proto__":1}') as Record<string, unknown>)).toEqual([
    { member: "__proto__", before: undefined, after: "1", isChanged: true },
  ]);
});
