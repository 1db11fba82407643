import type { AccountWebFacts, CaptchaProvider } from "@latchkey/contracts";

/** Sources of other origins, by the kind of content. */
export interface Sources {
  script?: readonly string[];
  frame?: readonly string[];
  style?: readonly string[];
  image?: readonly string[];
  connect?: readonly string[];
}

const hcaptcha = ["https://hcaptcha.com", "https://*.hcaptcha.com"];

/** The sources that each provider's documentation lists for its widget. */
const captchaSources: Readonly<Record<CaptchaProvider, Sources>> = {
  "cloudflare-turnstile": {
    script: ["https://challenges.cloudflare.com"],
    frame: ["https://challenges.cloudflare.com"],
  },
  "google-recaptcha": {
    script: ["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
    frame: ["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"],
    connect: ["https://www.google.com/recaptcha/"],
  },
  hcaptcha: { script: hcaptcha, frame: hcaptcha, style: hcaptcha, connect: hcaptcha },
};

/** Returns the other origins from which the account web loads the configured captcha and the logo. */
export const accountWebSources = ({ captcha, branding: { logo } }: AccountWebFacts): Sources => ({
  ...(captcha?.siteKey !== undefined && captchaSources[captcha.provider]),
  ...(logo !== undefined && { image: [new URL(logo).origin] }),
});
