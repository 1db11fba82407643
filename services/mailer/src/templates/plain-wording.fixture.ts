import { type MailLocale, optionsSchema } from "@latchkey/contracts";
import { type MailBranding, type Wording, wordingIn } from "./wording.ts";

/** The branding of an installation that configures none. */
export const plainBranding: MailBranding = {
  ...optionsSchema.parse({}).branding,
  logo: undefined,
};

/** Returns the wording of an installation that configures no branding. */
export const plainWording = (locale: MailLocale, appName: string): Wording =>
  wordingIn(locale, appName, plainBranding);
