import type { messages as account } from "./en/account/index.ts";
import type { messages as front } from "./en/front/index.ts";

/** The English messages, by the group of screens that loads them together. */
export interface English {
  front: typeof front;
  account: typeof account;
}

export type MessageGroup = keyof English;

/** The forms of a counted message. Languages have other ones than English. */
type PluralForms<Key> = Key extends `${infer Name}_other` ? `${Name}_${Intl.LDMLPluralRule}` : Key;

type Translated<T> = {
  readonly [K in keyof T as PluralForms<K>]?: T[K] extends string ? string : Translated<T[K]>;
};

/** The messages of a namespace in another language. English takes the place of those that are missing. */
export type Translation<
  Group extends MessageGroup,
  Namespace extends keyof English[Group],
> = Translated<English[Group][Namespace]>;

/** The namespaces of a group in another language. */
export type Translations<Group extends MessageGroup> = {
  readonly [Namespace in keyof English[Group]]?: Translation<Group, Namespace>;
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "page";
    resources: English["front"] & English["account"];
  }
}
