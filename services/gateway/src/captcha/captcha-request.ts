import type { GatewayConfig } from "../config.ts";

export type CaptchaConfig = GatewayConfig["captcha"];

/** A client's answer to a captcha. */
export interface CaptchaResponse {
  token: string;
  /** Where the client answered from; undefined when unknown. */
  address: string | undefined;
}

const verifyUrls: Record<CaptchaConfig["provider"], string> = {
  "cloudflare-turnstile": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  "google-recaptcha": "https://www.google.com/recaptcha/api/siteverify",
  hcaptcha: "https://api.hcaptcha.com/siteverify",
};

/** Where the provider verifies. */
export const captchaUrl = ({ provider, siteVerifyURLOverride }: CaptchaConfig): URL =>
  new URL(siteVerifyURLOverride ?? verifyUrls[provider]);

/** What the provider is sent, in the media type that it reads. */
export const captchaRequest = (
  { provider, secretKey, siteKey }: CaptchaConfig,
  { token, address }: CaptchaResponse,
): { contentType: string; body: string } => {
  const fields = {
    secret: secretKey,
    response: token,
    ...(provider === "hcaptcha" && siteKey ? { sitekey: siteKey } : {}),
    ...(address ? { remoteip: address } : {}),
  };
  return provider === "cloudflare-turnstile"
    ? { contentType: "application/json", body: JSON.stringify(fields) }
    : {
        contentType: "application/x-www-form-urlencoded",
        body: new URLSearchParams(fields).toString(),
      };
};
