import type { Language } from "@latchkey/contracts/languages.ts";
import type { admin } from "./en/admin.ts";
import type { adminDetails } from "./en/admin-details.ts";
import type { adminLists } from "./en/admin-lists.ts";
import type { PathIn, TextAt, TextTree, ValueNames } from "./message.ts";

/** The English texts of the admin web, by namespace. */
type English = typeof admin & typeof adminLists & typeof adminDetails;

/** The files of texts, in the order in which screens need them: the frame and Home, lists, and all other screens. */
export const adminGroups = ["admin", "adminLists", "adminDetails"] as const;
export type AdminGroup = (typeof adminGroups)[number];

type Loaders = {
  readonly [Group in AdminGroup]: () => Promise<Readonly<Record<Group, TextTree>>>;
};

/** A bundler makes one file of each import, so a page loads only the language that it shows. */
const loaders: Readonly<Record<Language, Loaders>> = {
  en: {
    admin: () => import("./en/admin.ts"),
    adminLists: () => import("./en/admin-lists.ts"),
    adminDetails: () => import("./en/admin-details.ts"),
  },
  de: {
    admin: () => import("./de/admin.ts"),
    adminLists: () => import("./de/admin-lists.ts"),
    adminDetails: () => import("./de/admin-details.ts"),
  },
  fr: {
    admin: () => import("./fr/admin.ts"),
    adminLists: () => import("./fr/admin-lists.ts"),
    adminDetails: () => import("./fr/admin-details.ts"),
  },
  es: {
    admin: () => import("./es/admin.ts"),
    adminLists: () => import("./es/admin-lists.ts"),
    adminDetails: () => import("./es/admin-details.ts"),
  },
  pt: {
    admin: () => import("./pt/admin.ts"),
    adminLists: () => import("./pt/admin-lists.ts"),
    adminDetails: () => import("./pt/admin-details.ts"),
  },
  ja: {
    admin: () => import("./ja/admin.ts"),
    adminLists: () => import("./ja/admin-lists.ts"),
    adminDetails: () => import("./ja/admin-details.ts"),
  },
  "zh-Hans": {
    admin: () => import("./zh-Hans/admin.ts"),
    adminLists: () => import("./zh-Hans/admin-lists.ts"),
    adminDetails: () => import("./zh-Hans/admin-details.ts"),
  },
  ar: {
    admin: () => import("./ar/admin.ts"),
    adminLists: () => import("./ar/admin-lists.ts"),
    adminDetails: () => import("./ar/admin-details.ts"),
  },
};

/** Loads the texts of a group in a language, by namespace. Rejects if their file cannot be loaded. */
export const loadAdminTexts = async (language: Language, group: AdminGroup): Promise<TextTree> => {
  const module: Partial<Record<AdminGroup, TextTree>> = await loaders[language][group]();
  return module[group] ?? {};
};

/** The path of a text, such as `users.invite`. */
export type AdminText = PathIn<English>;

/** The names of the values of a text. */
export type AdminValueNames<Path> = ValueNames<TextAt<English, Path>>;

/** The arguments with the values of a text. A text without values takes none. */
export type AdminTextValues<Path> = [AdminValueNames<Path>] extends [never]
  ? []
  : // oxlint-disable-next-line typescript/no-generated-empty-object-type -- Only without values, which the first branch has.
    [values: Readonly<Record<AdminValueNames<Path>, string | number>>];
