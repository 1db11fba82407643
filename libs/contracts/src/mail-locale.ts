import { z } from "zod";
import type { Caller } from "./caller.ts";
import {
  type Language,
  languages,
  matchLanguage,
  preferredLanguage,
  primarySubtag,
  type PrimarySubtag,
} from "./languages.ts";

/**
 * The languages of mails in events, stored mails and options: the first parts of their tags. Simplified Chinese is `zh` there, because rows
 * and events of earlier versions say so. `matchLanguage` turns each into its language.
 */
export type MailLocale = PrimarySubtag<Language>;
export const mailLocale = z.enum(languages.map((language): MailLocale => primarySubtag(language)));

/** The member of an event that names the language of its mail. */
export interface MailLocaleMember {
  locale?: MailLocale;
}

/** Returns the language that a user has set in the additional field `locale`, else the one that the browser prefers. */
export const chooseMailLocale = (
  own: unknown,
  caller?: Pick<Caller, "acceptLanguage">,
): MailLocaleMember => {
  const language =
    (typeof own === "string" ? matchLanguage(own) : undefined) ??
    preferredLanguage(caller?.acceptLanguage ?? "");
  return language === undefined ? {} : { locale: primarySubtag(language) };
};
