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
  ["no with a passing score", { success: false, score: 1 }, "failed"],
  ["why not", { success: false, "error-codes": ["timeout-or-duplicate"] }, "failed"],
  ["why not in another form", { success: false, "error-codes": "invalid-input-secret" }, "failed"],
  [
    "that the secret is not its own",
    { success: false, "error-codes": ["x", "invalid-input-secret"] },
    "secret refused",
  ],
  [
    "that the secret is missing",
    { success: false, "error-codes": ["missing-input-secret"] },
    "secret refused",
  ],
])("accepts the verdict of a provider that says %s", (_case, answer, expected) => {
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
])("a score of %d with a minimum of 0.5 is %s, if reCAPTCHA returns it", (score, is) => {
  expect(verdict("google-recaptcha", { success: true, score })).toBe(is);
});

/** hCaptcha's score rises with risk. */
test.each<Provider>(["cloudflare-turnstile", "hcaptcha"])("ignores the score of %s", (by) => {
  expect(verdict(by, { success: true, score: 0 })).toBe("passed");
});

/** A response that is not a verdict of the provider must not pass. */
test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a truth value", true],
  ["a text", "success"],
  ["a list", [{ success: true }]],
  ["an empty object", {}],
  ["success as text", { success: "true" }],
  ["success as a number", { success: 1 }],
])("rejects %s", (_case, answer) => {
  for (const provider of providers)
    expect(() => verdict(provider, answer)).toThrow("without a readable success");
});

test.each([["0.9"], [null], [[1]]])("rejects the score %j", (score) => {
  expect(() => verdict("google-recaptcha", { success: true, score })).toThrow(
    "without a readable score",
  );
});
