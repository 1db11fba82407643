import type { MailLocale } from "@latchkey/contracts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en, type LinkTexts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

/** The texts of the pages of mailed links, by language. */
export const linkTexts: Readonly<Record<MailLocale, LinkTexts>> = {
  en,
  de,
  fr,
  es,
  pt,
  ja,
  zh,
  ar,
};

/** Replaces each `{name}` of a text by its value. */
export const fillText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
