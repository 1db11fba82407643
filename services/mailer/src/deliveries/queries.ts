import { dayOf } from "@latchkey/service-kit";
import { type Insertable, type Kysely, type QueryCreator, sql } from "kysely";
import type { DeliveryState, DeliveryTable, SettledState, Tables } from "../db/tables.ts";

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  /** Its name; null where only an earlier version knew it. */
  event: string | null;
  recipient: string;
  subject: string;
  contentSealed: string;
  /** All that there were, this one included. */
  attempts: number;
  /** Those since an admin last gave the mail all its tries again, this one included. */
  tries: number;
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
    .returning(["id", "eventId", "event", "recipient", "subject", "contentSealed", "attempts"])
    .returning((eb) => eb("attempts", "-", eb.ref("attemptsForgiven")).as("tries"))
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

/** The event of a mail; undefined where the mail is gone. */
export const findEventId = async (db: Kysely<Tables>, id: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom("delivery")
    .select("eventId")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.eventId;
};

interface EndedTry {
  id: string;
  attempts: number;
}

const endTry = (
  db: QueryCreator<Tables>,
  { id, attempts }: EndedTry,
  change: { state: DeliveryState; lastError: string | null; settledAt: Date | null },
) =>
  db
    .updateTable("delivery")
    .set({ ...change, leaseUntil: null })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where("attempts", "=", attempts);

/** Notes why a try failed after which there will be others; changes nothing when it is no longer the last one. */
export const updateRetrying = async (
  db: Kysely<Tables>,
  delivery: EndedTry,
  lastError: string | null,
): Promise<void> => {
  await endTry(db, delivery, { state: "retrying", lastError, settledAt: null }).execute();
};

/** Ends the last try, and counts the mail among those of its day; changes nothing when the try is no longer the last one. */
export const updateSettled = async (
  db: Kysely<Tables>,
  delivery: EndedTry,
  change: { state: SettledState; lastError: string | null; settledAt: Date },
): Promise<void> => {
  const { state, settledAt } = change;
  await db
    .with("settled", (cte) => endTry(cte, delivery, change).returning("id"))
    .insertInto("deliveryDay")
    .columns(["day", state])
    .expression((eb) =>
      eb
        .selectFrom("settled")
        .select([sql`${dayOf(settledAt.getTime())}::date`.as("day"), sql.lit(1).as("count")]),
    )
    .onConflict((conflict) =>
      conflict.column("day").doUpdateSet((eb) => ({
        [state]: eb(`deliveryDay.${state}`, "+", 1),
      })),
    )
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
