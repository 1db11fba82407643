import { expect, test } from "vitest";
import { readRevisions } from "./read-revisions.ts";

test.each([
  ["no header", undefined, []],
  ["one user", "a:7", [{ userId: "a", epoch: 7 }]],
  [
    "two users, one with the greatest revision",
    "a:7,b:9007199254740991",
    [
      { userId: "a", epoch: 7 },
      { userId: "b", epoch: Number.MAX_SAFE_INTEGER },
    ],
  ],
  ["an id with separators", "a%3A%2C%C3%BC:1", [{ userId: "a:,ü", epoch: 1 }]],
])("%s", (_case, header, expected) => {
  expect(readRevisions(header)).toEqual(expected);
});
