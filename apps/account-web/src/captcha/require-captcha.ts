import { addHeaders } from "@latchkey/ui/api/call.ts";
import type { CaptchaFacts } from "./captcha-facts.ts";

/** Makes each call that requires a captcha ask for it first. The call fails if the user does not solve it. */
export const requireCaptcha = (captcha: CaptchaFacts): void => {
  const covered = new Set(captcha.paths);
  addHeaders(async ({ path }) => {
    if (!covered.has(path)) return {};
    const { askForCaptcha } = await import("./ask-for-captcha.tsx");
    return { "x-captcha-response": await askForCaptcha(captcha) };
  });
};
