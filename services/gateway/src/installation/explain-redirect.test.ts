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
  appOrigins: ["https://desk.example.com"],
  isTrusted: compileTrustedOrigins([...patterns, "https://desk.example.com", ownOrigin]),
  isOfRequest: false,
  allowsHttp: false,
};

const explain = (url: string) => explainRedirect({ url, field: "callbackURL" }, places);

test.each([
  ["/dashboard?tab=1", "It is a safe relative path."],
  [`${ownOrigin}/welcome`, "It is on our own origin, http://localhost:3000."],
  ["https://app.example.com/a", "It matches https://app.example.com in trustedOrigins."],
  ["https://a.b.example.org", "It matches https://*.example.org in trustedOrigins."],
  ["myapp://open", "It matches myapp:// in trustedOrigins."],
  [
    "https://desk.example.com/a",
    "It is on the origin of the application at https://desk.example.com, which appURL sets.",
  ],
  ["", "It is empty, so nothing is checked."],
])("%j is allowed, with the reason", (url, reason) => {
  expect(explain(url)).toEqual({ allowed: true, reason });
});

test.each([
  [
    "https://evil.com/a?b",
    "neither on our own origin, http://localhost:3000, nor on a trusted one",
  ],
  [
    "https://evil.com/a?b",
    "trustedOrigins contains https://app.example.com, https://*.example.org, myapp://.",
  ],
  ["https://evil.com/a?b", "Add https://evil.com to it to allow this URL."],
  ["https://app.example.com.evil.com", "Add https://app.example.com.evil.com to it"],
  ["otherapp://open", "trustedOrigins contains"],
  ["//evil.com", "begins with one slash"],
  ["/a#part", "but no fragment"],
  ["/a b", "percent-encoded"],
  ["/käse", "percent-encoded"],
  ["https:\\\\app.example.com", "percent-encoded"],
  ["javascript:alert(1)", "runs script"],
  ["https://", "not a valid URL"],
  ["https://user@app.example.com", "without a user name before it"],
  ["https://3232235777/", "not written the way browsers read it"],
])("%j is refused, with the reason", (url, reason) => {
  const explained = explain(url);
  expect(explained.allowed).toBe(false);
  expect(explained.reason).toContain(reason);
});

test("names the error of a request with such a URL, by the field that contains it", () => {
  const reasonOf = (field: "redirectTo" | "newUserCallbackURL") =>
    explainRedirect({ url: "https://evil.com", field }, places).reason;
  expect(reasonOf("redirectTo")).toContain('Requests are refused with "Invalid redirectURL".');
  expect(reasonOf("newUserCallbackURL")).toContain('"Invalid newUserCallbackURL"');
});

test("says that an empty list is empty", () => {
  const nothing = { ...places, patterns: [], isTrusted: compileTrustedOrigins([ownOrigin]) };
  const { reason } = explainRedirect({ url: "https://a.com", field: "callbackURL" }, nothing);
  expect(reason).toContain("trustedOrigins is empty.");
});

test("says that a function may decide differently for another request", () => {
  const reasonOf = (url: string) =>
    explainRedirect({ url, field: "callbackURL" }, { ...places, isOfRequest: true }).reason;
  for (const url of ["https://app.example.com/a", "https://evil.com"])
    expect(reasonOf(url)).toContain("trustedOrigins is a function");
  expect(reasonOf("https://evil.com")).not.toContain("Add https://evil.com");
  for (const url of ["/a", `${ownOrigin}/a`, "javascript:alert(1)"])
    expect(reasonOf(url)).not.toContain("function");
});

/** A different result from that of real requests would mislead the operator. */
test("never decides differently than the check of requests", () => {
  const hostile = hostileRedirects.flatMap(({ values }) => values);
  const everything = [...patterns, "*", "*.partner.test"];
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
