import { expect, test } from "vitest";
import { callbackTarget } from "./callback-target.ts";
import { compileTrustedOrigins } from "./trusted-origin.ts";

const baseUrl = "https://id.example.com/api/auth";
const errorPage = `${baseUrl}/error?error=invalid_callback_url`;
const isTrusted = compileTrustedOrigins([
  "https://id.example.com",
  "https://app.example.com",
  "https://*.example.org",
  "myapp://",
]);
const isPreview = compileTrustedOrigins(["https://*.preview.example.net"]);
const target = (place: string, errorUrl?: string) =>
  callbackTarget(place, { baseUrl, errorUrl, isPreview }, isTrusted);

test.each([
  "/",
  "/welcome?a=1",
  "/welcome?error=access_denied&error_description=Really%3F%20(yes!)*'",
  "https://app.example.com/welcome?x=%2F#here",
  "https://a.example.org",
  "myapp://callback?error=no_code",
  `${baseUrl}/callback/google?code=a&state=b`,
  `${baseUrl}/error?error=state_not_found`,
])("redirects a browser to %s", (place) => {
  expect(target(place)).toBe(place);
});

/** Attack: a target that was trusted when the sign-in started, or a stored one that was changed since. */
test.each([
  "https://evil.com/",
  "https://app.example.com.evil.com/",
  "https://app.example.com@evil.com/",
  "http://app.example.com/",
  "//evil.com/?a=/",
  "/\\evil.com",
  "/%2fevil.com",
  "/\t/evil.com",
  "?a=https://app.example.com",
  "javascript:alert(1)",
  "relative",
  "",
])("does not redirect a browser to %j", (place) => {
  expect(target(place)).toBe(errorPage);
});

test("allows the operator's error page with any query, and nothing beside it", () => {
  const errorUrl = "https://status.example.net/problem?from=auth";
  const statusPage = "https://status.example.net/problem?from=auth&error=no_code";
  expect(target(statusPage, errorUrl)).toBe(statusPage);
  expect(target(statusPage)).toBe(errorPage);
  for (const place of [
    "https://status.example.net/other?error=no_code",
    "https://status.example.net/problem/../other",
    "http://status.example.net/problem",
    "https://me@status.example.net/problem",
  ])
    expect(target(place, errorUrl)).toBe(errorPage);
});

/** Attack: a preview runs code that nobody has reviewed. It gets responses of providers, and is trusted with nothing else. */
test("redirects a browser to the callback of a preview, and to no other page or host", () => {
  const callback =
    "https://pr-1.preview.example.net/api/auth/callback/google/oauth-proxy?profile=p";
  expect(target(callback)).toBe(callback);
  for (const place of [
    "https://pr-1.preview.example.net/",
    "https://pr-1.preview.example.net/api/auth/callback/google/oauth-proxy/more",
    "https://pr-1.preview.example.net/x?/callback/google/oauth-proxy",
    "http://pr-1.preview.example.net/api/auth/callback/google/oauth-proxy",
    "https://preview.example.net.evil.com/api/auth/callback/google/oauth-proxy",
  ])
    expect(target(place)).toBe(errorPage);
});
