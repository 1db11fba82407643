import type { AccountWebFacts } from "@latchkey/contracts";

/** The kinds of content that a page may load from other origins. */
export const sourceKinds = ["script", "style", "img", "connect", "frame"] as const;

/** Sources of other origins, by the kind of content. */
export type Sources = Partial<Record<(typeof sourceKinds)[number], readonly string[]>>;

type CaptchaProvider = NonNullable<AccountWebFacts["captcha"]>["provider"];

const ofHcaptcha = ["https://hcaptcha.com", "https://*.hcaptcha.com"];

/** The sources that each provider of captchas documents for its widget. */
const captchaSources: Record<CaptchaProvider, Sources> = {
  "cloudflare-turnstile": {
    script: ["https://challenges.cloudflare.com"],
    frame: ["https://challenges.cloudflare.com"],
  },
  "google-recaptcha": {
    script: ["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"],
    frame: ["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"],
  },
  hcaptcha: { script: ofHcaptcha, style: ofHcaptcha, connect: ofHcaptcha, frame: ofHcaptcha },
};

/** Returns the other origins from which the account web loads something: those of the logo, of pictures and of the captcha. */
export const accountWebSources = (facts: AccountWebFacts): Sources => {
  const { branding, pictureOrigins, captcha } = facts;
  const logoOrigins = branding.logo === undefined ? [] : [new URL(branding.logo).origin];
  return {
    img: [...new Set([...logoOrigins, ...pictureOrigins])],
    ...(captcha && captchaSources[captcha.provider]),
  };
};
