import { describe, expect, test } from "vitest";

import { compileTrustedOrigins } from "./trusted-origin.ts";

describe("compileTrustedOrigins", () => {
  test.each([
    ["https://app.example.com", "https://app.example.com"],
    ["https://app.example.com", "https://app.example.com/a?b#c"],
    ["https://app.example.com", "HTTPS://APP.example.com:443/"],
    ["http://localhost:3000", "http://localhost:3000/x"],
    ["myapp://", "myapp://anything/at/all"],
    ["myapp://", "myapp://"],
    ["myapp:", "myapp:anything"],
    ["myapp://callback", "myapp://callback"],
    ["myapp://callback", "myapp://callback/x"],
    ["myapp://callback", "myapp://callback?x=1"],
    ["*.my.com", "https://a.my.com"],
    ["*.my.com", "https://a.b.my.com/path"],
    ["*.MY.com", "https://a.my.com"],
    ["localhost:*", "https://localhost:8080"],
    ["app.my.com", "https://app.my.com/x"],
    ["app.my.com:8443", "https://app.my.com:8443"],
    ["app?.my.com*", "https://app1.my.com:8443"],
    ["https://*.my.com", "https://a.my.com/x"],
    ["https://*.my.com", "https://a.b.my.com"],
    ["https://*.My.com/**", "https://a.my.com/x"],
    ["https://*.my.com/*", "https://a.my.com"],
    ["https://localhost:*", "https://localhost:1"],
    ["http*://my.com", "https://my.com"],
    ["*://my.com", "https://my.com"],
    ["http://*.my.com", "http://a.my.com"],
    ["myapp://*", "myapp://callback/x"],
    ["myapp://*", "myapp://"],
    ["exp://192.168.*.*:*/**", "exp://192.168.1.2:8081/--/x"],
    ["com.example.app:/", "com.example.app:/callback"],
    ["*", "https://anywhere.test"],
  ])("%s trusts %s", (pattern, value) => {
    expect(compileTrustedOrigins([pattern])(value)).toBe(true);
  });

  test.each([
    ["https://app.example.com", "http://app.example.com"],
    ["https://app.example.com", "https://app.example.com:8443"],
    ["https://app.example.com", "https://app.example.com.evil.com"],
    ["https://app.example.com", "https://app.example.com@evil.com"],
    ["https://app.example.com", "app.example.com"],
    ["https://app.example.com", "null"],
    ["https://app.example.com", ""],
    ["https://app.example.com", "/https://app.example.com"],
    ["https://app.example.com", "blob:https://app.example.com/1"],
    ["https://app.example.com/", "https://app.example.com/"],
    ["null", "null"],
    ["myapp://", "MYAPP://x"],
    ["myapp://", "myapp:x"],
    ["myapp://", "xmyapp://x"],
    ["myapp", "myapp-evil://x"],
    ["myapp://callback", "myapp://callback.evil"],
    ["myapp://callback", "myapp://callback@evil"],
    ["*.my.com", "https://my.com"],
    ["*.my.com", "http://a.my.com:8080"],
    ["*.my.com", "https://evil.com/a.my.com"],
    ["*.my.com", "https://evil.com?.my.com"],
    ["*.my.com", "https://evil.com#.my.com"],
    ["*.my.com", "https:evil.com:.my.com"],
    ["*.my.com", "evil.com/.my.com"],
    ["*.my.com", "null"],
    ["*.my.com", "javascript:x.my.com"],
    ["https://*.my.com", "http://a.my.com"],
    ["https://*.my.com", "https://my.com"],
    ["https://*.my.com", "https://a.my.com:8443"],
    ["https://*.my.com", "https://a.my.com.evil.com"],
    ["https://*.my.com", "a.my.com"],
    ["https://*.my.com/app", "https://a.my.com/app"],
    ["https://*.my.com/app", "https://a.my.com/other"],
    ["https://a-x*.my.com", "https://ax.my.com"],
    ["https://*.mycom", "https://a.my.com"],
    ["myapp://*", "otherapp://x"],
    ["?.my.com", "https://a.my.com"],
    ["app.my.com", "https://a.my.com"],
    ["*.my.com", "a.my.com"],
    ["localhost:3000", "localhost:3000/x"],
    ["localhost:*", "localhost:3000"],
    ["com.example.app:*", "com.example.app:x"],
    ["*", "null"],
    ["*", "a/b"],
  ])("%s does not trust %s", (pattern, value) => {
    expect(compileTrustedOrigins([pattern])(value)).toBe(false);
  });

  /** Attack: a link that opens an app, or uses an unexpected scheme that the browser interprets. */
  describe.each(["*", "*.my.com", "a.my.com", "*://*.my.com", "*://a.my.com", "?*://a.my.com"])(
    "%s trusts no scheme but that of the web",
    (pattern) => {
      test.each(["ftp", "intent", "ws", "wss", "made-up", "my.com", "httpsx"])("%s:", (scheme) => {
        for (const allowsHttp of [false, true]) {
          const isTrusted = compileTrustedOrigins([pattern], { allowsHttp });
          expect(isTrusted("https://a.my.com/x")).toBe(true);
          for (const value of [`${scheme}://a.my.com/x`, `${scheme}:a.my.com`, `${scheme}:`])
            expect([value, isTrusted(value)]).toEqual([value, false]);
        }
      });
    },
  );

  test.each(["*", "*.my.com", "a.my.com", "*://*.my.com", "http*://a.my.com"])(
    "%s means http only where that is allowed",
    (pattern) => {
      const value = "http://a.my.com/x";
      expect(compileTrustedOrigins([pattern])(value)).toBe(false);
      expect(compileTrustedOrigins([pattern], { allowsHttp: true })(value)).toBe(true);
    },
  );

  test("a value is trusted if any pattern matches", () => {
    const isTrusted = compileTrustedOrigins(["https://one.test", "*.two.test"]);
    expect(["https://one.test", "https://a.two.test", "https://three.test"].map(isTrusted)).toEqual(
      [true, true, false],
    );
  });

  test("an empty list trusts nothing", () => {
    expect(compileTrustedOrigins([])("https://app.example.com")).toBe(false);
  });

  test.each(["", " "])("rejects the empty pattern %j", (pattern) => {
    expect(() => compileTrustedOrigins(["https://app.example.com", pattern])).toThrow(
      "A provided trusted origin is invalid, make sure your trusted origins list is properly defined.",
    );
  });

  /** Attack: a host with many near matches, meant to stall a backtracking matcher. */
  test("a pattern with many stars decides on a long value at once", () => {
    const isTrusted = compileTrustedOrigins([`${"*a".repeat(20)}*.my.com`]);
    const startedAt = performance.now();
    expect(isTrusted("a".repeat(50_000))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
