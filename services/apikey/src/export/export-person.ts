import type { TakePersonItem } from "@latchkey/contracts";
import { readCursor } from "@latchkey/service-kit/database";
import type { Deps } from "../deps.ts";
import { selectCreatedKeys, selectKeys, selectUsage } from "./queries.ts";

/** Exports a person's keys and their usage, and which keys of organizations they created. */
export const exportPerson = (
  { db }: Pick<Deps, "db">,
  { id }: { id: string },
  take: TakePersonItem,
): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      for await (const rows of readCursor(trx, selectKeys(id)))
        for (const key of rows) await take("apiKeys", key);
      for await (const rows of readCursor(trx, selectUsage(id)))
        for (const usage of rows) await take("apiKeyUsage", usage);
      for await (const rows of readCursor(trx, selectCreatedKeys(id)))
        for (const key of rows) await take("organizationApiKeys", key);
    });
