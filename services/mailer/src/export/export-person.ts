import type { TakePersonItem } from "@latchkey/contracts";
import { readCursor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { selectMails } from "./queries.ts";

/** What is kept of a person here: mails to the address that they have now. */
export const exportPerson = (
  { db }: Pick<Deps, "db">,
  { email }: { email: string },
  take: TakePersonItem,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    for await (const rows of readCursor(trx, selectMails(email)))
      for (const mail of rows) await take("mails", mail);
  });
