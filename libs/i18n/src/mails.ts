import type { Language } from "@latchkey/contracts/languages.ts";
import { mails as ar } from "./ar/mails.ts";
import { mails as de } from "./de/mails.ts";
import { mails as en } from "./en/mails.ts";
import { mails as es } from "./es/mails.ts";
import { mails as fr } from "./fr/mails.ts";
import { mails as ja } from "./ja/mails.ts";
import type { Translated } from "./message.ts";
import { mails as pt } from "./pt/mails.ts";
import { mails as zhHans } from "./zh-Hans/mails.ts";

export type MailTexts = Translated<typeof en>;

/** The name of a text of mails. */
export type MailText = keyof MailTexts;

/** The texts of mails. */
export const mails: Readonly<Record<Language, MailTexts>> = {
  en,
  de,
  fr,
  es,
  pt,
  ja,
  "zh-Hans": zhHans,
  ar,
};
