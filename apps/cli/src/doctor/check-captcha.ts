import type { Options } from "@latchkey/contracts";
import { type Finding, ok, warn } from "./finding.ts";

interface Configured {
  settings: { options: Pick<Options, "account" | "captcha"> };
}

/** Checks that the pages of the account web can show the captcha that operations require. */
export const checkCaptcha = ({ settings: { options } }: Configured): Finding[] => {
  const { account, captcha } = options;
  if (!captcha.enabled) return [];
  return account.enabled && captcha.siteKey === undefined
    ? [
        warn(
          "captcha",
          "the account web cannot show it, so its sign-ins are refused",
          "set captcha.siteKey; without the account web, set account.enabled to false",
        ),
      ]
    : [ok("captcha", captcha.provider)];
};
