import type { TakePersonItem } from "@latchkey/contracts";
import { readCursor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { selectMails } from "./queries.ts";

/** Exports the stored mails to a user's current address. */
export const exportPerson = (
  { db }: Pick<Deps, "db">,
  { email }: { email: string },
  take: TakePersonItem,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    for await (const rows of readCursor(trx, selectMails(email)))
      for (const mail of rows) await take("mails", mail);
  });
