const storageKey = "latchkey.language";

/** Returns the tags of the languages that the user wants: the one that was chosen in a web of this installation, then those of the browser. */
export const preferredLanguages = (): (string | null)[] => [
  localStorage.getItem(storageKey),
  ...navigator.languages,
];

/** Stores the choice of a language in this browser, for all webs of the installation. */
export const storeLanguage = (language: string): void => localStorage.setItem(storageKey, language);
