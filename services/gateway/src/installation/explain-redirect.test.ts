import { expect, test } from "vitest";
import { hostileRedirects } from "../origins/hostile-redirects.fixture.ts";
import { isAllowedRedirect } from "../origins/redirect-target.ts";
import { compileTrustedOrigins } from "../origins/trusted-origin.ts";
import { explainRedirect } from "./explain-redirect.ts";

const ownOrigin = "http://localhost:3000";
const patterns = ["https://app.example.com", "https://*.example.org", "myapp://"];
const places = {
  ownOrigin,
  patterns,
  isTrusted: compileTrustedOrigins([...patterns, ownOrigin]),
  isOfRequest: false,
};

const explain = (url: string) => explainRedirect({ url, field: "callbackURL" }, places);

test.each([
  ["/dashboard?tab=1", "It is a safe path of our own."],
  [`${ownOrigin}/welcome`, "It is of our own origin, http://localhost:3000."],
  ["https://app.example.com/a", "It fits https://app.example.com of trustedOrigins."],
  ["https://a.b.example.org", "It fits https://*.example.org of trustedOrigins."],
  ["myapp://open", "It fits myapp:// of trustedOrigins."],
  ["", "It names no place, so nothing is checked."],
])("%j is allowed, and it is said by what", (url, reason) => {
  expect(explain(url)).toEqual({ allowed: true, reason });
});

test.each([
  [
    "https://evil.com/a?b",
    "neither of our own origin, http://localhost:3000, nor of a trusted one",
  ],
  [
    "https://evil.com/a?b",
    "trustedOrigins has https://app.example.com, https://*.example.org, myapp://.",
  ],
  ["https://evil.com/a?b", "Add https://evil.com there to allow it."],
  ["https://app.example.com.evil.com", "Add https://app.example.com.evil.com there"],
  ["otherapp://open", "trustedOrigins has"],
  ["//evil.com", "begins with one slash"],
  ["/a#part", "no fragment"],
  ["/a b", "percent-encoded"],
  ["/käse", "percent-encoded"],
  ["https:\\\\app.example.com", "percent-encoded"],
  ["javascript:alert(1)", "runs script"],
  ["https://", "no URL that can be read"],
  ["https://user@app.example.com", "without a user name before it"],
  ["https://3232235777/", "not written the way browsers read it"],
])("%j is refused, and it is said why", (url, reason) => {
  const explained = explain(url);
  expect(explained.allowed).toBe(false);
  expect(explained.reason).toContain(reason);
});

test("what requests are told that name such a place is said too, by the field that names it", () => {
  const reasonOf = (field: "redirectTo" | "newUserCallbackURL") =>
    explainRedirect({ url: "https://evil.com", field }, places).reason;
  expect(reasonOf("redirectTo")).toContain('Requests are refused with "Invalid redirectURL".');
  expect(reasonOf("newUserCallbackURL")).toContain('"Invalid newUserCallbackURL"');
});

test("an empty list is said to be empty", () => {
  const nothing = { ...places, patterns: [], isTrusted: compileTrustedOrigins([ownOrigin]) };
  const { reason } = explainRedirect({ url: "https://a.com", field: "callbackURL" }, nothing);
  expect(reason).toContain("trustedOrigins is empty.");
});

test("where a function says what is trusted, it is said that it may say something else", () => {
  const reasonOf = (url: string) =>
    explainRedirect({ url, field: "callbackURL" }, { ...places, isOfRequest: true }).reason;
  for (const url of ["https://app.example.com/a", "https://evil.com"])
    expect(reasonOf(url)).toContain("trustedOrigins is a function");
  expect(reasonOf("https://evil.com")).not.toContain("Add https://evil.com");
  for (const url of ["/a", `${ownOrigin}/a`, "javascript:alert(1)"])
    expect(reasonOf(url)).not.toContain("function");
});

/** A tester that says another thing than the check would mislead its operator. */
test("it never says another thing than requests are judged by", () => {
  const hostile = hostileRedirects.flatMap(({ values }) => values);
  const everything = [...patterns, "*"];
  for (const trusted of [patterns, everything]) {
    const isTrusted = compileTrustedOrigins([...trusted, ownOrigin]);
    for (const url of hostile.filter((value) => value !== "")) {
      const { allowed } = explainRedirect(
        { url, field: "callbackURL" },
        { ...places, patterns: trusted, isTrusted },
      );
      expect([url, allowed]).toEqual([url, isAllowedRedirect(url, isTrusted)]);
    }
  }
});
