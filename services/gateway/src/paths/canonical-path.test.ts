import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { canonicalPath } from "./canonical-path.ts";

describe("canonicalPath", () => {
  test.each([
    ["/", "/"],
    ["/ok", "/ok"],
    ["/ok/", "/ok"],
    ["/api/auth/sign-in/email", "/api/auth/sign-in/email"],
    ["/api/auth/sign-in/email/", "/api/auth/sign-in/email"],
    ["/OK", "/OK"],
    ["/a.b/.c/...", "/a.b/.c/..."],
    ["/callback/my~id_1", "/callback/my~id_1"],
    ["/a!$&'()*+,;=:@b", "/a!$&'()*+,;=:@b"],
    ["/sign-%69n/email", "/sign-in/email"],
    ["/%7euser", "/~user"],
    ["/a%20b", "/a%20b"],
    ["/caf%c3%a9", "/caf%C3%A9"],
    ["/a%252fb", "/a%252fb"],
  ])("the canonical path of %s is %s", (raw, canonical) => {
    expect(canonicalPath(raw)).toBe(canonical);
  });

  test.each([
    "",
    "ok",
    "*",
    "http://host/ok",
    "//",
    "//ok",
    "/ok//",
    "/a//b",
    "/.",
    "/..",
    "/./ok",
    "/a/../ok",
    "/ok/.",
    "/ok/..",
    "/ok/../",
    "/%2e",
    "/%2E%2e/ok",
    "/.%2e/ok",
    "/a%2eb",
    "/a%2fb",
    "/a%2Fb",
    "/a%5cb",
    "/a%5Cb",
    "/a\\b",
    "/a\tb",
    "/a\nb",
    "/a b",
    "/a\0b",
    "/a\u007fb",
    "/a%00b",
    "/a%0d%0ab",
    "/a%1Fb",
    "/a%7fb",
    "/a%c2%85b",
    "/a%",
    "/a%4",
    "/a%zz",
    "/a%ff",
    "/a%c0%ae",
    "/a%c0%afb",
    "/caf\u00e9",
    "/a?b",
    "/a#b",
    "/a|b",
    '/a"b',
  ])("%j has no canonical path", (raw) => {
    expect(canonicalPath(raw)).toBeUndefined();
  });

  test("a canonical path is its own canonical form", () => {
    const piece = fc.constantFrom(
      "/",
      "a",
      ".",
      "%41",
      "%2D",
      "%c3%a9",
      "%25",
      "%2f",
      "-",
      "B",
      "%e2%82%ac",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = canonicalPath(`/${pieces.join("")}`);
        if (once !== undefined) expect(canonicalPath(once)).toBe(once);
      }),
    );
  });
});
