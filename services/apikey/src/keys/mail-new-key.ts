import { type Caller, chooseMailLocale } from "@latchkey/contracts";
import { appendEvent } from "@latchkey/service-kit/events";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import type { ApiKeyRow } from "../db/key-row.ts";
import { opensSessions } from "./key-sessions.ts";
import { countNewKeyMail, deleteOldNewKeyMails } from "./queries.ts";

export type MailNewKeyNeeds = Pick<Deps, "clock" | "config" | "newEventId" | "ring">;

/** The user whom a mail tells of a new key: its owner, or the member who created it. `locale` is their language, if they have set one. */
export interface KeyRecipient {
  id: string;
  email: string;
  name: string;
  locale?: unknown;
}

interface NewKeyMail {
  key: ApiKeyRow;
  recipient: KeyRecipient | undefined;
  caller: Caller;
  isByAdmin: boolean;
}

/** Mails to one user on one day of UTC. A user with the unproven address of a stranger could otherwise flood that mailbox. */
const mailsMax = 10;

/** Mails a user about a key that was created or re-rolled, in the transaction that does so. Wake the relay after the commit. */
export const mailNewKey = async (
  deps: MailNewKeyNeeds,
  trx: Transaction<Tables>,
  { key, recipient, caller, isByAdmin }: NewKeyMail,
): Promise<void> => {
  if (!recipient || !deps.config.apiKey.mailNewKeys) return;
  const { id: userId, email, name, locale } = recipient;
  const now = new Date(deps.clock());
  if (!(await countNewKeyMail(trx, { userId, now, max: mailsMax }))) return;
  await appendEvent(trx, deps, {
    name: "api-key.added",
    data: {
      userId,
      email,
      name,
      keyName: key.name ?? "",
      address: isByAdmin ? "" : caller.address,
      userAgent: isByAdmin ? "" : caller.userAgent,
      isOfOrganization: key.organizationId !== null,
      isByAdmin,
      opensSessions: opensSessions(deps.config, key),
      ...chooseMailLocale(locale, isByAdmin ? undefined : caller),
    },
  });
};

/** Deletes the counts of earlier days. */
export const sweepNewKeyMails = ({ clock, db }: Pick<Deps, "clock" | "db">): Promise<void> =>
  deleteOldNewKeyMails(db, new Date(clock()));
