import type { messages as account } from "./en/account/index.ts";
import type { messages as front } from "./en/front/index.ts";

/** The English messages, by the group of screens that loads them together. */
export interface English {
  front: typeof front;
  account: typeof account;
}

export type MessageGroup = keyof English;

type Translated<T> = { readonly [K in keyof T]?: T[K] extends string ? string : Translated<T[K]> };

/** The messages of a group in another language. English takes the place of those that are missing. */
export type Translation<Group extends MessageGroup> = Translated<English[Group]>;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: English["front"] & English["account"];
  }
}
