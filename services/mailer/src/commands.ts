import type { TakePersonItem } from "@latchkey/contracts";
import { personExport, readCursor } from "@latchkey/service-kit/database";
import { schema } from "./db/tables.ts";
import { selectMails } from "./deliveries/queries.ts";
import type { Deps } from "./deps.ts";

/** Exports the stored mails to a user's current address. */
const exportMails = (
  { db }: Pick<Deps, "db">,
  { email, userId }: { email: string; userId: string },
  take: TakePersonItem,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    for await (const rows of readCursor(trx, selectMails({ email, userId })))
      for (const mail of rows) await take("mails", mail);
  });

// Operator commands, which work with or without the running service.

export { checkSmtp } from "./deliveries/transport.ts";

/** Exports the mails to a user. */
export const exportPerson = personExport(schema, exportMails);
