import { expect, test } from "vitest";
import type { CaptchaConfig } from "./captcha-request.ts";
import { type CaptchaVerdict, captchaVerdict } from "./captcha-verdict.ts";

type Provider = CaptchaConfig["provider"];
const providers: Provider[] = ["cloudflare-turnstile", "google-recaptcha", "hcaptcha"];
const verdict = (provider: Provider, answer: unknown) =>
  captchaVerdict({ provider, minScore: 0.5 }, answer);

test.each<[string, unknown, CaptchaVerdict]>([
  ["yes", { success: true }, "passed"],
  ["yes, and more", { success: true, hostname: "a", "error-codes": [] }, "passed"],
  ["no", { success: false }, "failed"],
  ["no with a good score", { success: false, score: 1 }, "failed"],
  ["why not", { success: false, "error-codes": ["timeout-or-duplicate"] }, "failed"],
  ["why not in another form", { success: false, "error-codes": "invalid-input-secret" }, "failed"],
  [
    "that the secret is not theirs",
    { success: false, "error-codes": ["x", "invalid-input-secret"] },
    "secret refused",
  ],
  [
    "that there is no secret",
    { success: false, "error-codes": ["missing-input-secret"] },
    "secret refused",
  ],
])("a provider that says %s is believed", (_case, answer, expected) => {
  expect(providers.map((provider) => verdict(provider, answer))).toEqual(
    Array(providers.length).fill(expected),
  );
});

test.each<[number, CaptchaVerdict]>([
  [1, "passed"],
  [0.500_001, "passed"],
  [0.5, "passed"],
  [0.499_999, "failed"],
  [0, "failed"],
  [-1, "failed"],
])("a score of %d against a least one of 0.5 is: %s, where reCAPTCHA gives it", (score, is) => {
  expect(verdict("google-recaptcha", { success: true, score })).toBe(is);
});

/** hCaptcha's score rises with risk. */
test.each<Provider>(["cloudflare-turnstile", "hcaptcha"])("a score of %s counts nothing", (by) => {
  expect(verdict(by, { success: true, score: 0 })).toBe("passed");
});

/** An answer that is no answer of the provider must not open the door. */
test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a truth value", true],
  ["a text", "success"],
  ["a list", [{ success: true }]],
  ["an empty object", {}],
  ["success as text", { success: "true" }],
  ["success as a number", { success: 1 }],
])("%s is no answer of a provider", (_case, answer) => {
  for (const provider of providers)
    expect(() => verdict(provider, answer)).toThrow("without a readable success");
});

test.each([["0.9"], [null], [[1]]])("%j is no score", (score) => {
  expect(() => verdict("google-recaptcha", { success: true, score })).toThrow(
    "without a readable score",
  );
});
