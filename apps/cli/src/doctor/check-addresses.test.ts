import { expect, test } from "vitest";
import { explainOrigin } from "./check-addresses.ts";

test.each([
  "https://app.example.com",
  "https://app.example.com:8443",
  "https://*.example.com",
  "https://*.example.com/**",
  "*.example.com",
  "app.example.com",
  "myapp://",
  "exp://192.0.2.1:8081",
  "http://localhost:5173",
  "http://127.0.0.1",
])("%s is as a trusted origin should be", (pattern) => {
  expect(explainOrigin(pattern, true)).toBeUndefined();
});

test.each([
  ["*", "every origin"],
  ["https://app.example.com/", "an origin has no path, as https://app.example.com"],
  ["https://app.example.com/sign-in", "an origin has no path"],
  ["https://APP.example.com", "an origin has no path, as https://app.example.com"],
  ["https://", "matches no origin"],
  ["https://*.example.com/sign-in", "has a path"],
  ["http://app.example.com", "is not https"],
])("%s is odd: %s", (pattern, reason) => {
  expect(explainOrigin(pattern, true)).toContain(reason);
});

test("accepts http outside production", () => {
  expect(explainOrigin("http://app.example.com", false)).toBeUndefined();
});
