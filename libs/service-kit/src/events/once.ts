import type { Kysely, Transaction } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";

/** A delivery: an event and the effect that it must have once. */
export interface Delivery {
  eventId: string;
  /** Names the effect within this service's inbox. */
  consumer: string;
  clock: () => number;
}

/**
 * Applies an effect once, even if its event is delivered repeatedly or concurrently. The inbox row and the effect commit
 * together. A second delivery waits for the first one and then finds the row. Returns undefined if the effect was applied
 * before.
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
