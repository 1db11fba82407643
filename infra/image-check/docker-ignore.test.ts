import { expect, test } from "vitest";
import { compileDockerIgnore } from "./docker-ignore.ts";

const isIgnored = compileDockerIgnore(`
# all but some
*
!libs/kit
!a.json
**/*.test.ts
**/dist
libs/kit/own?.ts
`);

test.each([
  ["README.md", true],
  ["libs/other/a.ts", true],
  ["libs/kit/a.ts", false],
  ["libs/kit/deep/a.ts", false],
  ["libs/kitchen/a.ts", true],
  ["a.json", false],
  ["aXjson", true],
  ["libs/kit/a.test.ts", true],
  ["libs/kit/deep/a.test.ts", true],
  ["libs/kit/dist/a.ts", true],
  ["libs/kit/distance/a.ts", false],
  ["libs/kit/own1.ts", true],
  ["libs/kit/own.ts", false],
])("%s is left out: %s", (path, isLeftOut) => {
  expect(isIgnored(path)).toBe(isLeftOut);
});
