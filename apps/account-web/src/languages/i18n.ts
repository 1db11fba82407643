import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { messages as front } from "./en/front/index.ts";
import { chooseLanguage, directionOf, type Language } from "./languages.ts";
import type { MessageGroup } from "./messages.ts";

type Namespaces = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const catalogues = import.meta.glob<Namespaces>(["./*/*/index.ts", "!./en/front/index.ts"], {
  import: "messages",
});

const storageKey = "latchkey.language";
const isGroupWanted = new Set<MessageGroup>(["front"]);

const addMessages = (language: Language, namespaces: Namespaces): void => {
  for (const [namespace, messages] of Object.entries(namespaces))
    i18next.addResourceBundle(language, namespace, messages);
};

/** Loads the messages of a group in a language. Without them English is shown, so a failure does not matter. */
const loadMessages = async (language: Language, group: MessageGroup): Promise<void> => {
  if (language === "en" && group === "front") return;
  const load = catalogues[`./${language}/${group}/index.ts`];
  const namespaces = await load?.().catch(() => undefined);
  if (namespaces) addMessages(language, namespaces);
};

const showLanguage = (language: Language): void => {
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
};

/** Returns the language that is shown. */
export const shownLanguage = (): Language => chooseLanguage([i18next.language]);

/** Loads the messages of a group of screens, in English and in the language that is shown. Call it before they are rendered. */
export const needMessages = async (group: MessageGroup): Promise<void> => {
  isGroupWanted.add(group);
  await Promise.all([loadMessages("en", group), loadMessages(shownLanguage(), group)]);
};

const loadWanted = (language: Language): Promise<unknown> =>
  Promise.all([...isGroupWanted].map((group) => loadMessages(language, group)));

/** Shows another language, and stores the choice in this browser. */
export const changeLanguage = async (language: Language): Promise<void> => {
  localStorage.setItem(storageKey, language);
  await loadWanted(language);
  await i18next.changeLanguage(language);
  showLanguage(language);
};

/**
 * Encloses a value in isolates (Unicode TR 9), so that a name or address in Latin letters does not reorder the words around it. Only texts
 * from right to left need them.
 */
const isolate = (value: string): string =>
  directionOf(shownLanguage()) === "rtl" ? `\u2068${value}\u2069` : value;

/** Prepares the language that the user chose earlier, or else that of the browser. */
export const startLanguages = async (): Promise<void> => {
  const language = chooseLanguage([localStorage.getItem(storageKey), ...navigator.languages]);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    defaultNS: "page",
    resources: { en: front },
    // React escapes all texts.
    interpolation: { escape: isolate },
    react: { useSuspense: false },
    returnEmptyString: false,
  });
  await loadWanted(language);
  showLanguage(language);
};
