import { z } from "zod";
import { section } from "./option.ts";

export const captchaOptions = section({
  enabled: z.boolean().default(false).describe("Some operations need a solved captcha."),
  provider: z
    .enum(["cloudflare-turnstile", "google-recaptcha", "hcaptcha"])
    .default("cloudflare-turnstile")
    .describe("Who verifies the answer in the header `x-captcha-response`."),
  secretKey: z
    .string()
    .min(1)
    .optional()
    .describe("The secret that the provider gave.")
    .meta({ secret: "whole" }),
  siteKey: z.string().min(1).optional().describe("Sent along to hCaptcha."),
  endpoints: z
    .array(z.string().startsWith("/"))
    .default([])
    .describe(
      "Paths of the operations that need it; an empty list means `/sign-up/email`, `/sign-in/email`, `/forget-password` and `/request-password-reset`.",
    ),
  siteVerifyURLOverride: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("Where to verify, in place of the provider's own address."),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe("Least score that passes, where reCAPTCHA gives one."),
});
