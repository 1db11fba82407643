import type { Language } from "@latchkey/contracts/languages.ts";
import type { account } from "./en/account.ts";
import { front } from "./en/front.ts";
import type { PathIn, TextAt, TextTree, ValueNames } from "./message.ts";

/** The English texts of the account web, by namespace. */
type English = typeof front & typeof account;

/** The screens that load their texts together: those for signed-out users, or those for signed-in users. */
export type WebGroup = "front" | "account";

interface Loaders {
  readonly front: () => Promise<{ front: TextTree }>;
  readonly account: () => Promise<{ account: TextTree }>;
}

/** A bundler makes one file of each import, which only its readers load. The first file of the page has `front` in English. */
const loaders: Readonly<Record<Language, Loaders>> = {
  en: { front: () => Promise.resolve({ front }), account: () => import("./en/account.ts") },
  de: { front: () => import("./de/front.ts"), account: () => import("./de/account.ts") },
  fr: { front: () => import("./fr/front.ts"), account: () => import("./fr/account.ts") },
  es: { front: () => import("./es/front.ts"), account: () => import("./es/account.ts") },
  pt: { front: () => import("./pt/front.ts"), account: () => import("./pt/account.ts") },
  ja: { front: () => import("./ja/front.ts"), account: () => import("./ja/account.ts") },
  "zh-Hans": {
    front: () => import("./zh-Hans/front.ts"),
    account: () => import("./zh-Hans/account.ts"),
  },
  ar: { front: () => import("./ar/front.ts"), account: () => import("./ar/account.ts") },
};

/** Loads the texts of a group in a language, by namespace. Rejects if their file cannot be loaded. */
export const loadWebTexts = async (language: Language, group: WebGroup): Promise<TextTree> => {
  const module: Partial<Record<WebGroup, TextTree>> = await loaders[language][group]();
  return module[group] ?? {};
};

/** The texts of a screen or of a topic, such as `signIn`. */
export type Namespace = keyof English;

/** The name of a text, as seen from a namespace: `linkSent.title`, or `page:back` of another one. */
export type WebText<Own extends Namespace> =
  | PathIn<English[Own]>
  | { [Other in Namespace]: `${Other}:${PathIn<English[Other]>}` }[Namespace];

type EnglishText<
  Own extends Namespace,
  Key,
> = Key extends `${infer Other extends Namespace}:${infer Path}`
  ? TextAt<English[Other], Path>
  : TextAt<English[Own], Key>;

/** The arguments with the values of a text. A text without values takes none. */
export type WebTextValues<Own extends Namespace, Key> = [
  ValueNames<EnglishText<Own, Key>>,
] extends [never]
  ? []
  : [values: Readonly<Record<ValueNames<EnglishText<Own, Key>>, string | number>>];
