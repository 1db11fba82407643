import type { Language } from "@latchkey/contracts/languages.ts";
import { chooseLanguage, languageFacts } from "@latchkey/i18n/languages.ts";
import { formatMessage, type TextTree } from "@latchkey/i18n/message.ts";
import {
  loadWebTexts,
  type Namespace,
  type WebGroup,
  type WebText,
  type WebTextValues,
} from "@latchkey/i18n/webs.ts";
import type { ErrorCatalogue } from "@latchkey/ui/errors/explain-error.ts";
import { preferredLanguages, storeLanguage } from "@latchkey/ui/preferred-languages.ts";
import { useSyncExternalStore } from "react";

/** The language that was chosen last, and the groups whose texts are needed. */
let chosen: Language = "en";
const groups = new Set<WebGroup>(["front"]);

/** The language that the page shows, and the texts of its groups by namespace. */
let shown: { language: Language; texts: TextTree } = { language: "en", texts: {} };
const listeners = new Set<() => void>();

/** The groups whose texts could not be loaded. They are loaded again when a screen needs them. */
const missing = new Set<WebGroup>();

/** English takes the place of texts that cannot be loaded. */
const loadTexts = (group: WebGroup): Promise<TextTree> =>
  loadWebTexts(chosen, group)
    .catch(() => loadWebTexts("en", group))
    .catch(() => {
      missing.add(group);
      return {};
    });

const showChosen = async (): Promise<void> => {
  const language = chosen;
  const loaded = await Promise.all([...groups].map(loadTexts));
  shown = { language, texts: Object.assign({}, ...loaded) as TextTree }; // each has its own namespaces
  document.documentElement.lang = language;
  document.documentElement.dir = languageFacts[language].direction;
  for (const listener of listeners) listener();
};

/** One after the other, so that the last choice is what stays. */
let update: Promise<void> = Promise.resolve();
const updateShown = (): Promise<void> => {
  update = update.then(showChosen);
  return update;
};

/** Returns the language that is shown. */
export const shownLanguage = (): Language => shown.language;

/** Loads the texts of a group of screens in the language that is shown. Call it before they are rendered. */
export const needTexts = async (group: WebGroup): Promise<void> => {
  if (groups.has(group) && !missing.delete(group)) return update;
  groups.add(group);
  return updateShown();
};

/** Shows another language, and stores the choice in this browser. */
export const changeLanguage = (language: Language): Promise<void> => {
  storeLanguage(language);
  chosen = language;
  return updateShown();
};

/** Prepares the language that the user chose earlier, or else that of the browser. */
export const startLanguages = (): Promise<void> => {
  chosen = chooseLanguage(preferredLanguages());
  return updateShown();
};

/** Returns a text by its path, such as `errors.codes.INVALID_OTP`, if it is loaded. */
const findText = (path: string): string | undefined => {
  let part: string | TextTree | undefined = shown.texts;
  for (const key of path.split("."))
    part = typeof part === "object" && Object.hasOwn(part, key) ? part[key] : undefined;
  return typeof part === "string" ? part : undefined;
};

/** The error texts in the language that is shown. The screens for signed-in users have more codes, which are loaded with them. */
export const errorTexts: ErrorCatalogue = {
  find: (key, values) => {
    const ofScreens = key.startsWith("codes.") ? key.replace("codes", "accountErrors") : undefined;
    const text = (ofScreens && findText(ofScreens)) ?? findText(`errors.${key}`);
    return text && formatMessage(shown.language, text, values);
  },
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns a function for the texts of a namespace, in the language that is shown. `page:back` is a text of another one. */
export const useTranslation = <Own extends Namespace>(namespace: Own) => {
  const { language } = useSyncExternalStore(subscribe, () => shown);
  return <Key extends WebText<Own>>(key: Key, ...values: WebTextValues<Own, Key>): string => {
    const path = key.includes(":") ? key.replace(":", ".") : `${namespace}.${key}`;
    // The values have the names that the English text has.
    return formatMessage(language, findText(path) ?? path, values[0]);
  };
};
