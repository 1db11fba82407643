import { describe, expect, test } from "vitest";

import { checkOrigin, explainRefusedOrigin } from "./origin-check.ts";
import { compileTrustedOrigins } from "./trusted-origin.ts";

const isTrusted = compileTrustedOrigins(["https://app.example.com", "http://localhost:3000"]);
const cookie = "auth.session_token=x";
const good = "https://app.example.com";
const evil = "https://evil.com";

test.each([
  ["a trusted Origin", { cookie, origin: good }],
  ["a trusted Referer without an Origin", { cookie, referer: `${good}/page?x=1` }],
  ["a trusted Origin beside a foreign Referer", { cookie, origin: good, referer: evil }],
  ["neither Origin nor Referer", { cookie }],
  ["a foreign Origin without cookies", { origin: evil }],
  ["a trusted Origin without cookies, cross-site", { origin: good, secFetchSite: "cross-site" }],
  ["same-origin without Origin and Referer", { cookie, secFetchSite: "same-origin" }],
  ["a direct navigation of the user, without Origin and Referer", { cookie, secFetchSite: "none" }],
  ["a trusted Origin of a sibling subdomain", { cookie, origin: good, secFetchSite: "same-site" }],
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

/** Attack: login CSRF, where a foreign page signs the victim in to the attacker's account without any cookie. */
describe.each(["cross-site", "same-site", " Cross-Site "])("a %s request", (secFetchSite) => {
  test.each([
    ["a foreign origin", { origin: evil }],
    ["the opaque origin", { origin: "null" }],
    ["a foreign Referer", { referer: evil }],
    ["no source", {}],
  ])("from %s is refused, with and without cookies", (_case, source) => {
    expect(checkOrigin({ ...source, secFetchSite }, isTrusted)).toBe("refuse");
    expect(checkOrigin({ ...source, secFetchSite, cookie }, isTrusted)).toBe("refuse");
  });
});

test.each([
  [undefined, "no Origin and no Referer"],
  [
    "http://localhost:3000",
    "http://localhost:3000 is not a trusted origin. Add it to TRUSTED_ORIGINS",
  ],
  ["https://evil.com/page?secret=1", "https://evil.com is not a trusted origin."],
  ["null", "opaque origin"],
  ["myapp://", "in full to TRUSTED_ORIGINS"],
])("the refusal of %s says what to do", (source, hint) => {
  expect(explainRefusedOrigin(source)).toContain(hint);
});

/** Any sandboxed frame has the opaque origin. */
test("the pattern * does not trust the opaque origin", () => {
  expect(checkOrigin({ cookie, origin: "null" }, compileTrustedOrigins(["*"]))).toBe("refuse");
});
