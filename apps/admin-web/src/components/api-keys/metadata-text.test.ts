import { expect, test } from "vitest";
import { readMetadata, writeMetadata } from "./metadata-text.ts";

test.each([
  ["", null],
  [" \n", null],
  ['{"plan": "free"}', { plan: "free" }],
  ["[1]", [1]],
  ["null", undefined],
  ['"text"', undefined],
  ["{broken", undefined],
])("reads metadata from %j: %j", (text, metadata) => {
  expect(readMetadata(text)).toEqual(metadata);
});

test("writes metadata as it was read", () => {
  expect(readMetadata(writeMetadata({ a: [1] }))).toEqual({ a: [1] });
  expect(writeMetadata(null)).toBe("");
});
