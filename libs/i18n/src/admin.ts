import type { Language } from "@latchkey/contracts/languages.ts";
import type { admin as english } from "./en/admin.ts";
import type { MailTexts } from "./mails.ts";
import type { PathIn, TextAt, TextTree, ValueNames } from "./message.ts";

type English = typeof english;

interface Loaders {
  readonly admin: () => Promise<{ readonly admin: TextTree }>;
  readonly mails: () => Promise<{ readonly mails: MailTexts }>;
}

/** A bundler makes one file of each import, so a page loads only the language that it shows. */
const loaders: Readonly<Record<Language, Loaders>> = {
  en: { admin: () => import("./en/admin.ts"), mails: () => import("./en/mails.ts") },
  de: { admin: () => import("./de/admin.ts"), mails: () => import("./de/mails.ts") },
  fr: { admin: () => import("./fr/admin.ts"), mails: () => import("./fr/mails.ts") },
  es: { admin: () => import("./es/admin.ts"), mails: () => import("./es/mails.ts") },
  pt: { admin: () => import("./pt/admin.ts"), mails: () => import("./pt/mails.ts") },
  ja: { admin: () => import("./ja/admin.ts"), mails: () => import("./ja/mails.ts") },
  "zh-Hans": {
    admin: () => import("./zh-Hans/admin.ts"),
    mails: () => import("./zh-Hans/mails.ts"),
  },
  ar: { admin: () => import("./ar/admin.ts"), mails: () => import("./ar/mails.ts") },
};

/** Loads the texts of the admin web in a language, by namespace. Rejects if their file cannot be loaded. */
export const loadAdminTexts = async (language: Language): Promise<TextTree> =>
  (await loaders[language].admin()).admin;

/** Loads the texts of mails in a language, of which the admin web shows a sample. Rejects if their file cannot be loaded. */
export const loadMailTexts = async (language: Language): Promise<MailTexts> =>
  (await loaders[language].mails()).mails;

/** The path of a text, such as `users.invite`. */
export type AdminText = PathIn<English>;

/** The names of the values of a text. */
export type AdminValueNames<Path> = ValueNames<TextAt<English, Path>>;

/** The arguments with the values of a text. A text without values takes none. */
export type AdminTextValues<Path> = [AdminValueNames<Path>] extends [never]
  ? []
  : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- Only without values, which the first branch has.
    [values: Readonly<Record<AdminValueNames<Path>, string | number>>];
