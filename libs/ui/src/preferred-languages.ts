const storageKey = "latchkey.language";

/**
 * Returns the tags of the languages that the user wants: the one that was chosen in a web of this installation, then those that another
 * application names in the address (`ui_locales`, OpenID Connect Core section 3.1.2.1), then those of the browser.
 */
export const preferredLanguages = (): (string | null)[] => [
  localStorage.getItem(storageKey),
  ...(new URLSearchParams(window.location.search).get("ui_locales")?.split(" ") ?? []),
  ...navigator.languages,
];

/** Stores the choice of a language in this browser, for all webs of the installation. */
export const storeLanguage = (language: string): void => localStorage.setItem(storageKey, language);
