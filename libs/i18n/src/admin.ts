import type { Language } from "@latchkey/contracts/languages.ts";
import type { admin as english } from "./en/admin.ts";
import type { PathIn, TextAt, TextTree, ValueNames } from "./message.ts";

type English = typeof english;

/** A bundler makes one file of each import, so a page loads only the language that it shows. */
const loaders: Readonly<Record<Language, () => Promise<{ readonly admin: TextTree }>>> = {
  en: () => import("./en/admin.ts"),
  de: () => import("./de/admin.ts"),
  fr: () => import("./fr/admin.ts"),
  es: () => import("./es/admin.ts"),
  pt: () => import("./pt/admin.ts"),
  ja: () => import("./ja/admin.ts"),
  "zh-Hans": () => import("./zh-Hans/admin.ts"),
  ar: () => import("./ar/admin.ts"),
};

/** Loads the texts of the admin web in a language, by namespace. Rejects if their file cannot be loaded. */
export const loadAdminTexts = async (language: Language): Promise<TextTree> =>
  (await loaders[language]()).admin;

/** The path of a text, such as `users.invite`. */
export type AdminText = PathIn<English>;

/** The names of the values of a text. */
export type AdminValueNames<Path> = ValueNames<TextAt<English, Path>>;

/** The arguments with the values of a text. A text without values takes none. */
export type AdminTextValues<Path> = [AdminValueNames<Path>] extends [never]
  ? []
  : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- Only without values, which the first branch has.
    [values: Readonly<Record<AdminValueNames<Path>, string | number>>];
