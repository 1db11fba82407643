import {
  type Caller,
  type MailLocale,
  matchMailLocale,
  preferredMailLocale,
} from "@latchkey/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { findLocale } from "./queries.ts";

/** The member of an event that names the language of its mail. */
interface MailLocaleMember {
  locale?: MailLocale;
}

/** Returns the language that a user has set in the additional field `locale`, else the one that the browser prefers. */
export const chooseMailLocale = (
  own: unknown,
  caller?: Pick<Caller, "acceptLanguage">,
): MailLocaleMember => {
  const locale =
    (typeof own === "string" ? matchMailLocale(own) : undefined) ??
    preferredMailLocale(caller?.acceptLanguage ?? "");
  return locale === undefined ? {} : { locale };
};

/**
 * Returns the language of a mail for the data of its event: that of the user, else that of the browser that causes the mail. Makes the same
 * statement without a user, so that its time does not reveal whether an address is known.
 */
export const mailLocaleOf = async (
  trx: Kysely<Tables>,
  { userId = "", caller }: { userId?: string | undefined; caller: Pick<Caller, "acceptLanguage"> },
): Promise<MailLocaleMember> => chooseMailLocale(await findLocale(trx, userId), caller);
