import type { LatchkeyConfig } from "@latchkey/contracts";
import { readSettings } from "@latchkey/service-kit/config";
import { expect, test } from "vitest";
import { readGatewayConfig } from "../config.ts";
import { accountWeb } from "./webs.ts";

const policyOf = (options: LatchkeyConfig): string => {
  const config = readGatewayConfig(
    readSettings({ databaseUrl: "postgres://localhost/x", ...options }, {}),
  );
  return accountWeb.policyOf(config, config.looks.own);
};

/** The kinds of content that a policy allows from other origins. */
const foreignSourcesOf = (policy: string): string[] =>
  policy.split("; ").filter((directive) => directive.includes("https:"));

const captcha = { enabled: true, secretKey: "secret", siteKey: "site" };
const turnstile = "https://challenges.cloudflare.com";
const hcaptcha = "https://hcaptcha.com https://*.hcaptcha.com";

test.each<[string, LatchkeyConfig, string[]]>([
  ["nothing", {}, []],
  ["nothing for a captcha without a site key", { captcha: { ...captcha, siteKey: undefined } }, []],
  ["nothing for a captcha that is off", { captcha: { ...captcha, enabled: false } }, []],
  [
    "the logo and Turnstile",
    { captcha, branding: { logo: "https://acme.example/logo.png" } },
    [
      `script-src 'self' ${turnstile}`,
      "img-src 'self' https://acme.example",
      `frame-src ${turnstile}`,
    ],
  ],
  [
    "the origins of pictures",
    { account: { pictureOrigins: ["https://images.example"] } },
    ["img-src 'self' https://images.example"],
  ],
  [
    "the images of a look",
    {
      branding: {
        logo: { light: "https://a.example/a.svg", dark: "https://b.example/b.svg" },
        favicon: "https://c.example/c.ico",
        background: { image: "https://d.example/d.jpg?e=f" },
      },
    },
    ["img-src 'self' https://a.example https://b.example https://c.example https://d.example"],
  ],
  [
    "reCAPTCHA",
    { captcha: { ...captcha, provider: "google-recaptcha" } },
    [
      "script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/",
      "frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/",
    ],
  ],
  [
    "hCaptcha",
    { captcha: { ...captcha, provider: "hcaptcha" } },
    [
      `script-src 'self' ${hcaptcha}`,
      `style-src 'self' ${hcaptcha}`,
      `connect-src 'self' ${hcaptcha}`,
      `frame-src ${hcaptcha}`,
    ],
  ],
])("the policy of the account web allows %s from other origins", (_case, options, expected) => {
  expect(foreignSourcesOf(policyOf(options))).toEqual(expected);
});

/** Attack: an option adds a directive or a wildcard to the policy. URL parsers accept such hosts. */
test.each([
  "https://a;script-src",
  "https://a,b",
  "https://a'b",
  "https://*",
  "https://*.example.com",
  "ws://images.example",
  "https://me@images.example",
  "https://images.example/",
  "https://images.example https://evil.example",
  "null",
])("the origin of pictures %j is refused", (origin) => {
  expect(() => policyOf({ account: { pictureOrigins: [origin] } })).toThrow("pictureOrigins");
});
