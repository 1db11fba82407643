import { expect, test } from "vitest";
import { type CaptchaConfig, captchaRequest, captchaUrl } from "./captcha-request.ts";

const configured = (config: Partial<CaptchaConfig>): CaptchaConfig => ({
  enabled: true,
  provider: "cloudflare-turnstile",
  secretKey: "the secret",
  endpoints: [],
  minScore: 0.5,
  ...config,
});
const solved = { token: "t&=+ö", address: undefined };
const atHome = { ...solved, address: "2001:db8::1" };
const form = "application/x-www-form-urlencoded";

test.each<[string, Partial<CaptchaConfig>, string]>([
  ["Turnstile", {}, "https://challenges.cloudflare.com/turnstile/v0/siteverify"],
  [
    "reCAPTCHA",
    { provider: "google-recaptcha" },
    "https://www.google.com/recaptcha/api/siteverify",
  ],
  ["hCaptcha", { provider: "hcaptcha" }, "https://api.hcaptcha.com/siteverify"],
  [
    "the configured address instead",
    { provider: "hcaptcha", siteVerifyURLOverride: "http://localhost:1/verify?a=b" },
    "http://localhost:1/verify?a=b",
  ],
])("verifies a captcha at %s", (_case, config, url) => {
  expect(captchaUrl(configured(config)).href).toBe(url);
});

test.each<[string, Partial<CaptchaConfig>, typeof atHome | typeof solved, string, string]>([
  [
    "JSON for Turnstile",
    { siteKey: "not for you" },
    atHome,
    "application/json",
    '{"secret":"the secret","response":"t&=+ö","remoteip":"2001:db8::1"}',
  ],
  [
    "JSON for Turnstile, without an unknown client address",
    {},
    solved,
    "application/json",
    '{"secret":"the secret","response":"t&=+ö"}',
  ],
  [
    "a form for reCAPTCHA",
    { provider: "google-recaptcha", siteKey: "not for you" },
    atHome,
    form,
    "secret=the+secret&response=t%26%3D%2B%C3%B6&remoteip=2001%3Adb8%3A%3A1",
  ],
  [
    "a form for reCAPTCHA, without an unknown client address",
    { provider: "google-recaptcha" },
    solved,
    form,
    "secret=the+secret&response=t%26%3D%2B%C3%B6",
  ],
  [
    "a form with the site's key for hCaptcha",
    { provider: "hcaptcha", siteKey: "a site" },
    atHome,
    form,
    "secret=the+secret&response=t%26%3D%2B%C3%B6&sitekey=a+site&remoteip=2001%3Adb8%3A%3A1",
  ],
  [
    "a form without the site's key for hCaptcha if none is configured",
    { provider: "hcaptcha" },
    solved,
    form,
    "secret=the+secret&response=t%26%3D%2B%C3%B6",
  ],
])("sends %s", (_case, config, response, contentType, body) => {
  expect(captchaRequest(configured(config), response)).toEqual({ contentType, body });
});
