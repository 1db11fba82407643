import type { Language } from "@latchkey/contracts/languages.ts";
import { pages as ar } from "./ar/pages.ts";
import { pages as de } from "./de/pages.ts";
import { pages as en } from "./en/pages.ts";
import { pages as es } from "./es/pages.ts";
import { pages as fr } from "./fr/pages.ts";
import { pages as ja } from "./ja/pages.ts";
import type { Translated } from "./message.ts";
import { pages as pt } from "./pt/pages.ts";
import { pages as zhHans } from "./zh-Hans/pages.ts";

/** The texts of the pages of mailed links. */
export const pages: Readonly<Record<Language, Translated<typeof en>>> = {
  en,
  de,
  fr,
  es,
  pt,
  ja,
  "zh-Hans": zhHans,
  ar,
};
