import { expect, test } from "vitest";

import { isSafeRelativePath } from "./safe-relative-path.ts";

test.each([
  "/",
  "/a/../b",
  "/a?x=%20z@",
  "/a-b_c.d+e@f",
  "/a/",
  "/a?",
  "/a?next=/b&c=d",
  "/2fa",
  "/@user",
])("%s stays on our origin", (value) => {
  expect(isSafeRelativePath(value)).toBe(true);
});

test.each([
  "",
  "a",
  "//",
  "//evil.com",
  "/\\evil.com",
  "/%2fevil.com",
  "/%2Fevil.com",
  "/%5cevil.com",
  "/%5Cevil.com",
  "/.//evil.com",
  "/..//evil.com",
  "/a/..//evil.com",
  "/a/.././/evil.com?x=y",
  "/a%20b",
  "/a#b",
  "/a:b",
  "/~a",
  "/a,b",
  "/a;b",
  "/[a]",
  "/a b",
  "/\u00e9",
  "/a?b?c",
  "/a?b#c",
  "/a?b:c",
  "/a\n",
  "/\t/evil.com",
  " /a",
  // Letters that fold to ASCII under case-insensitive Unicode matching.
  "/\u212a",
  "/\u017f",
])("%j is not a safe relative path", (value) => {
  expect(isSafeRelativePath(value)).toBe(false);
});
