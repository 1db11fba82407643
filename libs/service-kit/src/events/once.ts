import type { Kysely, Transaction } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";

/** Which delivery: an event, and the effect that it is to have once. */
export interface Delivery {
  eventId: string;
  /** Names the effect within this service's inbox. */
  consumer: string;
  clock: () => number;
}

/**
 * Has an effect once, however often and at the same time its event is delivered: the inbox row and the effect commit
 * together, and a second delivery waits for the first and then finds the row. Undefined when the effect was had before.
 */
export const once = <Tables extends KitTables, T>(
  db: Kysely<Tables>,
  { eventId, consumer, clock }: Delivery,
  effect: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T | undefined> =>
  db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await (trx as unknown as Kysely<KitTables>)
      .insertInto("inbox")
      .values({ eventId, consumer, doneAt: new Date(clock()) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n ? effect(trx) : undefined;
  });
