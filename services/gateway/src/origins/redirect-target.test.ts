import { describe, expect, test } from "vitest";

import { hostileRedirects } from "./hostile-redirects.fixture.ts";
import { isAllowedRedirect } from "./redirect-target.ts";
import { compileTrustedOrigins } from "./trusted-origin.ts";

const isTrusted = compileTrustedOrigins([
  "https://app.example.com",
  "https://*.example.org",
  "myapp://",
  "http://localhost:3000",
  "*.partner.test",
]);

const welcome = [
  "/",
  "/dashboard",
  "/a/b/c",
  "/a/../b",
  "/a//b",
  "/a/",
  "/@me",
  "/a.html",
  "/a+b",
  "/2fa",
  "/a?",
  "/a?x=1&y=2",
  "/a?x=%20z@",
  "/a?next=/b",
  "/a?x=%2f%2fevil.com",
  "https://app.example.com",
  "https://app.example.com/",
  "https://app.example.com/a/b",
  "https://app.example.com/a?b=c#d",
  "https://app.example.com?b=c",
  "https://app.example.com#d",
  "https://app.example.com:443/a",
  "https://APP.example.com/a",
  "HTTPS://app.example.com/a",
  "https://app.example.com/~me",
  "https://app.example.com/a%20b",
  "https://app.example.com/%2e%2e/x",
  "https://app.example.com//a",
  "https://app.example.com/?next=https://elsewhere.test/",
  "https://app.example.com/?mail=a@b.co",
  "https://app.example.com/@me",
  "https://app.example.com/#javascript:x",
  "https://a.example.org",
  "https://a.b.example.org/x",
  "https://xn--bcher-kva.example.org/",
  "https://a_b.example.org/",
  "https://1.example.org/",
  "https://A.Example.Org/",
  "http://localhost:3000",
  "http://localhost:3000/a?b=c",
  "myapp://",
  "myapp://callback",
  "myapp://callback/a?b=c#d",
];

describe("isAllowedRedirect", () => {
  describe.each(hostileRedirects)("refuses $label", ({ values }) => {
    test.each(values)("%j", (value) => {
      expect(isAllowedRedirect(value, isTrusted)).toBe(false);
    });
  });

  test("the hostile list is large, distinct and never empty", () => {
    const values = hostileRedirects.flatMap((group) => group.values);
    expect(new Set(values).size).toBe(values.length);
    expect(values.length).toBeGreaterThanOrEqual(180);
    expect(values).not.toContain("");
    expect(values.every((value) => value.isWellFormed())).toBe(true);
  });

  test.each(welcome)("allows %s", (value) => {
    expect(isAllowedRedirect(value, isTrusted)).toBe(true);
  });

  describe("with the pattern *", () => {
    const trustAll = compileTrustedOrigins(["*"]);

    test("any https URL is allowed", () => {
      expect(isAllowedRedirect("https://anywhere.test/", trustAll)).toBe(true);
    });

    test.each([
      "http://anywhere.test/",
      "//anywhere.test/",
      "otherapp://x",
      "intent://x#Intent;scheme=https;end",
      "anything",
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "java\tscript:alert(1)",
      " javascript:alert(1)",
      "vbscript:x",
      "data:text/html,x",
      "blob:https://app.example.com/1",
      "file:///etc/passwd",
      "filesystem:https://app.example.com/x",
      "about:blank",
      "view-source:https://app.example.com",
      "https://a@b.test/",
      "https:evil.com",
      "/\\evil.com",
      "/a\r\nb",
      "",
    ])("%j is still refused", (value) => {
      expect(isAllowedRedirect(value, trustAll)).toBe(false);
    });
  });

  /** Attack: a script URL that names a trusted host would otherwise match a host pattern without a scheme. */
  test.each(["javascript", "vbscript", "data", "file"])(
    "a host pattern never allows %s",
    (scheme) => {
      const isTrustedHost = compileTrustedOrigins([
        "*.example.org",
        `${scheme}://`,
        `${scheme}://*`,
      ]);
      expect(isAllowedRedirect(`${scheme}://a.example.org/%0aalert(1)`, isTrustedHost)).toBe(false);
    },
  );

  test("an IPv6 origin is matched as the browser writes it", () => {
    const isLocal = compileTrustedOrigins(["http://[::1]:3000"]);
    expect(isAllowedRedirect("http://[::1]:3000/a", isLocal)).toBe(true);
    expect(isAllowedRedirect("http://[0::1]:3000/a", isLocal)).toBe(false);
  });
});
