import { z } from "zod";
import { section } from "./option.ts";

export const captchaOptions = section({
  enabled: z.boolean().default(false).describe("Some operations require a solved captcha."),
  provider: z
    .enum(["cloudflare-turnstile", "google-recaptcha", "hcaptcha"])
    .default("cloudflare-turnstile")
    .describe("Provider that verifies the response in the header `x-captcha-response`."),
  secretKey: z
    .string()
    .min(1)
    .optional()
    .describe("Secret from the provider. (CAPTCHA_SECRET_KEY)")
    .meta({ secret: "whole" }),
  siteKey: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Site key from the provider, with which the account web shows the captcha. For reCAPTCHA it is that of a checkbox (version 2).",
    ),
  endpoints: z
    .array(z.string().startsWith("/"))
    .default([])
    .describe(
      "Paths of the operations that require it. An empty list means every operation that takes a password or mails an address that the caller names, except admin operations.",
    ),
  siteVerifyURLOverride: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("URL of the verification, if it is not the provider's own."),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe("Minimum score to pass, for reCAPTCHA versions that return one."),
});
