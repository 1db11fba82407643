/** The languages of the account web: BCP 47 tags, each with its own name and direction. */
export const languages = [
  { tag: "en", name: "English", dir: "ltr" },
  { tag: "de", name: "Deutsch", dir: "ltr" },
  { tag: "fr", name: "Français", dir: "ltr" },
  { tag: "es", name: "Español", dir: "ltr" },
  { tag: "pt", name: "Português", dir: "ltr" },
  { tag: "ja", name: "日本語", dir: "ltr" },
  { tag: "zh-Hans", name: "简体中文", dir: "ltr" },
  { tag: "ar", name: "العربية", dir: "rtl" },
] as const;

export type Language = (typeof languages)[number]["tag"];

/** Returns the language that is nearest to a BCP 47 tag. Undefined if there is none. */
const matchLanguage = (tag: string): Language | undefined => {
  const primary = tag.split(/[-_]/, 1)[0]?.toLowerCase();
  return languages.find((known) => known.tag.split("-", 1)[0] === primary)?.tag;
};

/** Returns the first language of a list of tags that exists, or English. */
export const chooseLanguage = (tags: readonly (string | null)[]): Language => {
  for (const tag of tags) {
    const found = tag === null ? undefined : matchLanguage(tag);
    if (found) return found;
  }
  return "en";
};

/** Returns the direction of a language. */
export const directionOf = (language: Language): "ltr" | "rtl" =>
  languages.find(({ tag }) => tag === language)?.dir ?? "ltr";
