import { expect, test } from "vitest";

import { compilePathGlob } from "./compile-path-glob.ts";

test.each([
  ["/organization/*", "/organization/create"],
  ["/organization/*", "/organization/"],
  ["/organization/**", "/organization/team/create"],
  ["/organization/**", "/organization"],
  ["/**/create", "/organization/team/create"],
  ["/**/create", "/create"],
  ["/**", "/"],
  ["/**", "/a/b"],
  ["**", "/a/b"],
  ["/sign-*/email", "/sign-in/email"],
  ["/reset-password/*", "/reset-password/abc"],
  ["/a/**/b/**/c", "/a/b/x/b/c"],
])("%s matches %s", (glob, path) => {
  expect(compilePathGlob(glob)(path)).toBe(true);
});

test.each([
  ["/organization/*", "/organization/team/create"],
  ["/organization/*", "/organization"],
  ["/organization/**", "/organizations"],
  ["/sign-*", "/sign-in/email"],
  ["/a.c*", "/abc"],
  ["*", "/a"],
  ["/**/create", "/organization/create/x"],
])("%s does not match %s", (glob, path) => {
  expect(compilePathGlob(glob)(path)).toBe(false);
});

/** Attack: a path of thousands of near matches against a glob with many `**`. */
test("matching a long path takes at most its length times the glob's", () => {
  const startedAt = performance.now();
  expect(compilePathGlob(`${"/**/a".repeat(8)}/b`)("/a".repeat(8000))).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
