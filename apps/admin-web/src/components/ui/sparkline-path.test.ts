import { expect, test } from "vitest";
import { sparklinePath } from "./sparkline-path.ts";

test.each([
  [[], ""],
  [[0, 0, 0], "M0,30L50,30L100,30"],
  [[0, 5, 10], "M0,30L50,15L100,0"],
  [[7], "M0,0L100,0"],
])("%j is drawn as %s", (values, path) => {
  expect(sparklinePath(values)).toBe(path);
});
