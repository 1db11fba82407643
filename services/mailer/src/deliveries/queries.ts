import type { Insertable, Kysely } from "kysely";
import type { DeliveryState, DeliveryTable, Tables } from "../db/tables.ts";

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  recipient: string;
  subject: string;
  contentSealed: string;
  /** Tries, this one included. */
  attempts: number;
}

export const insertDelivery = async (
  db: Kysely<Tables>,
  delivery: Insertable<DeliveryTable>,
): Promise<void> => {
  await db.insertInto("delivery").values(delivery).execute();
};

/** Takes a mail that is due, for as long as the lease lasts; of many at once one gets it. */
export const claimDelivery = (
  db: Kysely<Tables>,
  claim: { eventId: string; now: Date; leaseUntil: Date },
): Promise<ClaimedDelivery | undefined> =>
  db
    .updateTable("delivery")
    .set((eb) => ({
      state: "sending" as const,
      attempts: eb("attempts", "+", 1),
      leaseUntil: claim.leaseUntil,
    }))
    .where("eventId", "=", claim.eventId)
    .where((eb) =>
      eb.or([
        eb("state", "in", ["queued", "retrying"]),
        eb.and([eb("state", "=", "sending"), eb("leaseUntil", "<", claim.now)]),
      ]),
    )
    .returning(["id", "eventId", "recipient", "subject", "contentSealed", "attempts"])
    .executeTakeFirst();

export const findDeliveryState = async (
  db: Kysely<Tables>,
  eventId: string,
): Promise<DeliveryState | undefined> => {
  const row = await db
    .selectFrom("delivery")
    .select("state")
    .where("eventId", "=", eventId)
    .executeTakeFirst();
  return row?.state;
};

/** Ends a try with its new state and, where it failed, why; changes nothing when the try is no longer the last one. */
export const updateDelivery = async (
  db: Kysely<Tables>,
  delivery: { id: string; attempts: number },
  change: { state: DeliveryState; lastError: string | null; settledAt: Date | null },
): Promise<void> => {
  await db
    .updateTable("delivery")
    .set({ ...change, leaseUntil: null })
    .where("id", "=", delivery.id)
    .where("state", "=", "sending")
    .where("attempts", "=", delivery.attempts)
    .execute();
};

/** Deletes up to `limit` mails that were settled before a moment, passing by rows in use; gives how many. */
export const deleteSettledDeliveries = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("delivery")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("delivery")
        .select("id")
        .where("settledAt", "<", before)
        .orderBy("settledAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
