import { expect, test } from "vitest";

import { checkOrigin } from "./origin-check.ts";
import { compileTrustedOrigins } from "./trusted-origin.ts";

const isTrusted = compileTrustedOrigins(["https://app.example.com", "http://localhost:3000"]);
const cookie = "auth.session_token=x";
const good = "https://app.example.com";
const evil = "https://evil.com";

test.each([
  ["a trusted Origin", { cookie, origin: good }],
  ["a trusted Referer where no Origin is sent", { cookie, referer: `${good}/page?x=1` }],
  ["a trusted Origin beside a foreign Referer", { cookie, origin: good, referer: evil }],
  ["neither Origin nor Referer", { cookie }],
  ["a foreign Origin without cookies", { origin: evil }],
  ["a foreign Origin without cookies, same-site", { origin: evil, secFetchSite: "same-site" }],
  ["a trusted Origin without cookies, cross-site", { origin: good, secFetchSite: "cross-site" }],
  ["cross-site without Origin and Referer", { secFetchSite: "cross-site" }],
  ["no header at all", {}],
])("%s passes", (_case, headers) => {
  expect(checkOrigin(headers, isTrusted)).toBe("pass");
});

test.each([
  ["a foreign Origin", { cookie, origin: evil }],
  ["an empty cookie header and a foreign Origin", { cookie: "", origin: evil }],
  ["a foreign Referer", { cookie, referer: `${evil}/?${good}` }],
  ["a foreign Origin beside a trusted Referer", { cookie, origin: evil, referer: good }],
  ["the opaque origin", { cookie, origin: "null" }],
  ["the opaque origin beside a trusted Referer", { cookie, origin: "null", referer: good }],
  ["an empty Origin", { cookie, origin: "" }],
  ["a relative path as Origin", { cookie, origin: "/" }],
  ["another port", { cookie, origin: "http://localhost:3001" }],
  ["another scheme", { cookie, origin: "http://app.example.com" }],
])("%s with cookies is refused", (_case, headers) => {
  expect(checkOrigin(headers, isTrusted)).toBe("refuse");
});

/** Attack: sign-in forgery, where a foreign page signs the victim in to the attacker's account without any cookie. */
test.each([evil, "null"])(
  "a cross-site request from %s is refused even without cookies",
  (origin) => {
    expect(checkOrigin({ origin, secFetchSite: "cross-site" }, isTrusted)).toBe("refuse");
  },
);

test("the lone star trusts even the opaque origin", () => {
  expect(checkOrigin({ cookie, origin: "null" }, compileTrustedOrigins(["*"]))).toBe("pass");
});
