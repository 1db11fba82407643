import {
  type Branding,
  brandColors,
  type MailLocale,
  type MailLook,
  matchLanguage,
} from "@latchkey/contracts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { mails, type MailText } from "@latchkey/i18n/mails.ts";
import { formatMessage, type MessageValues } from "@latchkey/i18n/message.ts";

/** The appearance of the application in mails. */
export type MailBranding = Pick<
  Branding,
  "color" | "darkColor" | "links" | "name" | "privacyURL" | "radius" | "supportAddress" | "termsURL"
> &
  MailLook["branding"];

/** The language and the appearance in which a mail is written. Each text can include the name of the application as `app`. */
export interface Wording extends MailLook {
  /** The language as a stored mail names it. */
  locale: MailLocale;
  branding: MailBranding;
  /** Returns a text with its values. Throws if the text includes a value that is missing. */
  say: (name: MailText, values?: MessageValues) => string;
  /** Returns a time in UTC as text. */
  time: (time: string) => string;
  /** Returns an enumeration. */
  list: (items: readonly string[]) => string;
}

/** Returns the language and the appearance in which a mail of this application is written. `branding.name` replaces `appName`. */
export const wordingIn = (locale: MailLocale, ownName: string, branding: MailBranding): Wording => {
  const appName = branding.name ?? ownName;
  const language = matchLanguage(locale) ?? "en";
  const { direction, formatTag = language } = languageFacts[language];
  return {
    locale,
    language,
    direction,
    appName,
    branding,
    colors: brandColors(branding.color, branding.darkColor),
    say: (name, values) =>
      formatMessage(language, mails[language][name], { app: appName, ...values }),
    // The formatter is created at each use. It loads 5 MB of locale data, which a mailer that sends no time does not need.
    time: (time) => {
      const text = new Date(time).toLocaleString(formatTag, {
        dateStyle: "long",
        timeStyle: "short",
        timeZone: "UTC",
      });
      return `${text} UTC`;
    },
    list: (items) => new Intl.ListFormat(formatTag).format(items),
  };
};
