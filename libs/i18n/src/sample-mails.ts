import type { Language } from "@latchkey/contracts/languages.ts";
import type { MailTexts } from "./mails.ts";

/** A bundler makes one file of each import. Apart from `admin.ts`, which is part of the first script of the admin web. */
const loaders: Readonly<Record<Language, () => Promise<{ readonly mails: MailTexts }>>> = {
  en: () => import("./en/mails.ts"),
  de: () => import("./de/mails.ts"),
  fr: () => import("./fr/mails.ts"),
  es: () => import("./es/mails.ts"),
  pt: () => import("./pt/mails.ts"),
  ja: () => import("./ja/mails.ts"),
  "zh-Hans": () => import("./zh-Hans/mails.ts"),
  ar: () => import("./ar/mails.ts"),
};

/** Loads the texts of mails in a language, of which the admin web shows a sample. Rejects if their file cannot be loaded. */
export const loadMailTexts = async (language: Language): Promise<MailTexts> =>
  (await loaders[language]()).mails;
