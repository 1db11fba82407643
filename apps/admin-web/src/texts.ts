import type { Language } from "@latchkey/contracts/languages.ts";
import { type AdminText, type AdminTextValues, loadAdminTexts } from "@latchkey/i18n/admin.ts";
import { chooseLanguage, languageFacts } from "@latchkey/i18n/languages.ts";
import { formatMessage, type TextTree } from "@latchkey/i18n/message.ts";
import { lazyValue } from "@latchkey/ui/components/lazy-value.ts";
import { type ComponentText, locale } from "@latchkey/ui/components/locale.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { preferredLanguages, storeLanguage } from "@latchkey/ui/preferred-languages.ts";

/**
 * The language of this page: the one that the user chose earlier, or else that of the browser. Another choice loads the page anew. So
 * modules may read their texts when they load (ADR 116). Tests without a page are in English.
 */
export const language: Language =
  typeof document === "undefined" ? "en" : chooseLanguage(preferredLanguages());

/** The loaded texts by their paths. */
const texts = new Map<string, string>();

const addTexts = (tree: TextTree, prefix = ""): void => {
  for (const [key, part] of Object.entries(tree))
    if (typeof part === "string") texts.set(prefix + key, part);
    else addTexts(part, `${prefix}${key}.`);
};

/** Loads the texts. English takes the place of texts that cannot be loaded. Rejects if that cannot be loaded, either. */
export const loadTexts = async (): Promise<void> =>
  addTexts(await loadAdminTexts(language).catch(() => loadAdminTexts("en")));

/** Returns the message of a text that has been loaded. */
export const messageOf = (path: string): string | undefined => texts.get(path);

/** Returns a text that has been loaded, with its values. */
export const findText = (
  path: string,
  values?: Readonly<Record<string, string | number>>,
): string | undefined => {
  const message = messageOf(path);
  return message === undefined ? undefined : formatMessage(language, message, values, numberText);
};

/** Returns a text with its values. */
export const t = <Path extends AdminText>(path: Path, ...values: AdminTextValues<Path>): string =>
  findText(path, values[0]) ?? path;

const list = lazyValue(() => new Intl.ListFormat(language));

/** Joins items: "a, b, and c". */
export const listText = (items: readonly string[]): string => list().format(items);

const commas: Partial<Record<Language, string>> = { ar: "، ", ja: "、", "zh-Hans": "、" };

/** Joins items that contain lists themselves: "a, b, c". */
export const seriesText = (items: readonly string[]): string =>
  items.join(commas[language] ?? ", ");

/** Returns a text as it is written inside of a sentence. German writes its nouns with a capital letter there, too. */
export const lowerText = (text: string): string => (language === "de" ? text : text.toLowerCase());

/** Returns a text of a component of the library. */
const componentText = (
  name: ComponentText,
  values?: Readonly<Record<string, string | number>>,
): string => {
  const path: AdminText = `ui.${name}`;
  return findText(path, values) ?? path;
};

/** Prepares the page for its language. Call it before anything is rendered. */
export const startLanguage = (): void => {
  const { direction, formatTag = language } = languageFacts[language];
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  Object.assign(locale, { language, tag: formatTag, text: componentText });
};

/** Stores another language, and shows the page in it. */
export const changeLanguage = (chosen: Language): void => {
  storeLanguage(chosen);
  window.location.reload();
};
