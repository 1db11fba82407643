import type { GatewayConfig } from "../config.ts";

export type CaptchaConfig = GatewayConfig["captcha"];

/** A client's response to a captcha. */
export interface CaptchaResponse {
  token: string;
  /** The client's address. Undefined if unknown. */
  address: string | undefined;
}

const verifyUrls: Record<CaptchaConfig["provider"], string> = {
  "cloudflare-turnstile": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  "google-recaptcha": "https://www.google.com/recaptcha/api/siteverify",
  hcaptcha: "https://api.hcaptcha.com/siteverify",
};

/** The verification URL of each provider. */
export const captchaUrl = ({ provider, siteVerifyURLOverride }: CaptchaConfig): URL =>
  new URL(siteVerifyURLOverride ?? verifyUrls[provider]);

/** Returns the request to the provider, in the media type that it accepts. */
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
