import { expect, test } from "vitest";
import { countText } from "./count-text.ts";

test.each([
  [0, "0"],
  [1_000, "1,000"],
  [10_000, "10,000"],
  [10_001, "over 10,000"],
])("formats %d as %s", (count, text) => {
  expect(countText(count)).toBe(text);
});
