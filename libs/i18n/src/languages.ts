import { type Language, matchLanguage } from "@latchkey/contracts/languages.ts";

interface LanguageFacts {
  /** The name of the language in itself. */
  name: string;
  direction: "ltr" | "rtl";
  /** The tag for times in mails and in the admin web, if it is not the language itself. */
  formatTag?: string;
}

/** Each language, in the order in which users choose. */
export const languageFacts: Readonly<Record<Language, LanguageFacts>> = {
  en: { name: "English", direction: "ltr", formatTag: "en-GB" },
  de: { name: "Deutsch", direction: "ltr" },
  fr: { name: "Français", direction: "ltr" },
  es: { name: "Español", direction: "ltr" },
  pt: { name: "Português", direction: "ltr", formatTag: "pt-BR" },
  ja: { name: "日本語", direction: "ltr" },
  "zh-Hans": { name: "简体中文", direction: "ltr" },
  // The digits of codes.
  ar: { name: "العربية", direction: "rtl", formatTag: "ar-u-nu-latn" },
};

/** Returns the language of the first tag that has one, or English. */
export const chooseLanguage = (tags: readonly (string | null)[]): Language => {
  for (const tag of tags) {
    const language = tag === null ? undefined : matchLanguage(tag);
    if (language) return language;
  }
  return "en";
};
