import type { MailLocale, Options } from "@latchkey/contracts";
import { IntlMessageFormat } from "intl-messageformat";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type TextCatalogue, type TextName } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

/** The texts of all languages. */
export const catalogues: Readonly<Record<MailLocale, TextCatalogue>> = {
  en,
  de,
  fr,
  es,
  pt,
  ja,
  zh,
  ar,
};

/** The languages whose tag for formats and HTML is more specific than their name. Arabic mails have the digits of codes. */
const tags: Partial<Record<MailLocale, string>> = {
  en: "en-GB",
  pt: "pt-BR",
  zh: "zh-Hans",
  ar: "ar-u-nu-latn",
};

const tagOf = (locale: MailLocale): string => tags[locale] ?? locale;

/** The values that a text includes. */
export type TextValues = Readonly<Record<string, string | number>>;

/** The appearance of the application in mails. */
export type Branding = Options["branding"];

/** The language and the appearance in which a mail is written. */
export interface Wording {
  locale: MailLocale;
  direction: "ltr" | "rtl";
  /** The name of the application. Each text can include it as `app`. */
  appName: string;
  branding: Branding;
  /** Returns a text with its values. Throws if the text includes a value that is missing. */
  say: (name: TextName, values?: TextValues) => string;
  /** Returns a time in UTC as text. */
  time: (time: string) => string;
}

/** Texts are compiled at their first use. There are at most as many as the catalogues have. */
const compiled = new Map<string, IntlMessageFormat>();

const compile = (locale: MailLocale, name: TextName): IntlMessageFormat => {
  const key = `${locale} ${name}`;
  const known = compiled.get(key);
  if (known) return known;
  // Texts have no markup: a template escapes them as a whole.
  const format = new IntlMessageFormat(catalogues[locale][name], tagOf(locale), undefined, {
    ignoreTag: true,
  });
  compiled.set(key, format);
  return format;
};

/**
 * Encloses a value in isolates (Unicode TR 9), so that a name or address in Latin letters does not reorder the words around it. Only texts
 * from right to left need them.
 */
const isolate = (value: string | number): string | number =>
  typeof value === "string" && value !== "" ? `\u2068${value}\u2069` : value;

/** Values that choose between texts. They are not shown. */
const selectors = new Set(["system"]);
const isSelector = (name: string): boolean => selectors.has(name) || name.startsWith("has");

const isolateAll = (values: TextValues): TextValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isSelector(name) ? value : isolate(value),
    ]),
  );

/** Returns the language and the appearance in which a mail of this application is written. `branding.name` replaces `appName`. */
export const wordingIn = (locale: MailLocale, ownName: string, branding: Branding): Wording => {
  const appName = branding.name ?? ownName;
  const isRightToLeft = locale === "ar";
  return {
    locale,
    direction: isRightToLeft ? "rtl" : "ltr",
    appName,
    branding,
    say: (name, values = {}) => {
      const all = { app: appName, ...values };
      const text = compile(locale, name).format(isRightToLeft ? isolateAll(all) : all);
      if (typeof text !== "string") throw new TypeError(`The text ${name} is not plain`);
      return text;
    },
    // The formatter is created at each use. It loads 5 MB of locale data, which a mailer that sends no time does not need.
    time: (time) => {
      const text = new Date(time).toLocaleString(tagOf(locale), {
        dateStyle: "long",
        timeStyle: "short",
        timeZone: "UTC",
      });
      return `${text} UTC`;
    },
  };
};
