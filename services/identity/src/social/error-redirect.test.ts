import { expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { accountErrorPage, defaultErrorUrl, errorRedirect } from "./error-redirect.ts";

const page = "https://app.example.com/oops";

test.each([
  [page, `${page}?error=no_code`],
  [`${page}?a=1`, `${page}?a=1&error=no_code`],
  [`${page}?`, `${page}?error=no_code`],
  [`${page}?a=%20b&error=old&c='~`, `${page}?a=%20b&c='~&error=no_code`],
  [`${page}#top`, `${page}?error=no_code#top`],
  [`${page}?a=1#/b?c=#d`, `${page}?a=1&error=no_code#/b?c=#d`],
  ["/oops", "/oops?error=no_code"],
  ["myapp://oops", "myapp://oops?error=no_code"],
])("adds the error to the query of the page %s", (url, expected) => {
  expect(errorRedirect(url, { error: "no_code" }).redirect).toBe(expected);
});

test.each([
  ["a&admin=true", "a%26admin%3Dtrue"],
  ["a#b?c", "a%23b%3Fc"],
  ["a\r\nSet-Cookie: b=c", "aSet-Cookie%3A%20b%3Dc"],
  ["\u0000\u001b[31ma\u007f", "%5B31ma"],
  ["na\u00efve \u202etxt.exe", "nave%20txt.exe"],
  ["<script>", "%3Cscript%3E"],
  ["%0d%0a", "%250d%250a"],
  ["a b+c", "a%20b%2Bc"],
  ["\ud800", "unknown_error"],
  ["\u9519\u8bef", "unknown_error"],
  ["", "unknown_error"],
  ["e".repeat(5_000), "e".repeat(128)],
])("reduces the error code %j to %s", (error, expected) => {
  const { redirect } = errorRedirect(page, { error });
  expect(redirect).toBe(`${page}?error=${expected}`);
  expect(redirect).toMatch(/^[\x21-\x7e]+$/);
});

test.each([
  [undefined, ""],
  ["", ""],
  ["\u9519\u8bef", ""],
  ["The user said no & left", "&error_description=The%20user%20said%20no%20%26%20left"],
  ["a\r\nb", "&error_description=ab"],
  ["d".repeat(9_000), `&error_description=${"d".repeat(1_024)}`],
])("reduces the error description %j to %j", (description, expected) => {
  const { redirect } = errorRedirect(page, { error: "access_denied", description });
  expect(redirect).toBe(`${page}?error=access_denied${expected}`);
});

test("forbids caching, and sends no referrer to the next page", () => {
  expect(errorRedirect(page, { error: "no_code" }).headers).toEqual({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  });
});

test("sends errors outside of a flow to the operator's error page, or else to the built-in one", () => {
  const caller = {
    requestId: "r",
    operation: "callback",
    baseUrl: "https://id.example.com/api/auth",
    address: "",
    userAgent: "",
  };
  const urlWith = (errorURL: string | undefined) =>
    defaultErrorUrl({ config: { onAPIError: { errorURL } } as never }, caller); // the only option that it reads
  expect(urlWith(undefined)).toBe("https://id.example.com/api/auth/error");
  expect(urlWith("https://status.example.net/p?x=1")).toBe("https://status.example.net/p?x=1");
});

// Admins sign in at the account web, so its pages exist although it is off.
test.each([
  [{}, "/account/error", "/account/error"],
  [{ account: { enabled: false } }, "/account/error", "/account/error"],
  [{ account: { enabled: false }, admin: { web: false } }, "/account/error", undefined],
  [{}, "https://other.example/account/error", undefined],
])("with %j the error page %s of a flow is %s", (options, errorURL, expected) => {
  expect(accountErrorPage({ config: identityConfig(options) }, { errorURL })).toBe(expected);
});
