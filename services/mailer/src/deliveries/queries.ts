import { dayOf } from "@latchkey/service-kit";
import { type Insertable, type Kysely, type QueryCreator, sql } from "kysely";
import type { DeliveryState, DeliveryTable, SettledState, Tables } from "../db/tables.ts";

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  /** Name of its event, or null in rows of an earlier version. */
  event: string | null;
  recipient: string;
  subject: string;
  /** Empty once it is deleted. */
  contentSealed: string;
  /** Number of all attempts, including this one. */
  attempts: number;
  /** Whether its link or code has expired. */
  isLate: boolean;
  /** Number of attempts since an admin's last retry, including this one. */
  tries: number;
}

/**
 * Inserts a mail with the remaining lifetime of its link or code, or undefined if unknown. The database's clock determines the expiry,
 * because the clocks of the mailer's replicas may differ.
 */
export const insertDelivery = async (
  db: Kysely<Tables>,
  delivery: Omit<Insertable<DeliveryTable>, "sendBefore">,
  lifetimeMilliseconds?: number,
): Promise<void> => {
  const sendBefore =
    lifetimeMilliseconds === undefined
      ? null
      : sql<Date>`now() + make_interval(secs => ${lifetimeMilliseconds / 1_000})`;
  await db
    .insertInto("delivery")
    .values({ ...delivery, sendBefore })
    .execute();
};

/**
 * Claims a mail that is due for the duration of the lease. Of concurrent calls, one succeeds. The database's clock measures the
 * lease, because a mailer whose clock is an hour ahead would otherwise keep a mail for an hour longer.
 */
export const claimDelivery = (
  db: Kysely<Tables>,
  claim: { eventId: string; leaseSeconds: number },
): Promise<ClaimedDelivery | undefined> =>
  db
    .updateTable("delivery")
    .set((eb) => ({
      state: "sending" as const,
      attempts: eb("attempts", "+", 1),
      leaseUntil: sql<Date>`now() + make_interval(secs => ${claim.leaseSeconds})`,
    }))
    .where("eventId", "=", claim.eventId)
    .where((eb) =>
      eb.or([
        eb("state", "in", ["queued", "retrying"]),
        eb.and([eb("state", "=", "sending"), eb("leaseUntil", "<", sql<Date>`now()`)]),
      ]),
    )
    .returning(["id", "eventId", "event", "recipient", "subject", "contentSealed", "attempts"])
    .returning((eb) => eb("attempts", "-", eb.ref("attemptsForgiven")).as("tries"))
    .returning(sql<boolean>`coalesce(send_before <= now(), false)`.as("isLate"))
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

/** Returns the event of a mail, or undefined if the mail is deleted. */
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
  change: {
    state: DeliveryState;
    lastError: string | null;
    settledAt: Date | null;
    contentSealed?: "";
  },
) =>
  db
    .updateTable("delivery")
    .set({ ...change, leaseUntil: null })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where("attempts", "=", attempts);

/** Records the failure of an attempt that will be retried. Changes nothing if another attempt has started since. */
export const updateRetrying = async (
  db: Kysely<Tables>,
  delivery: EndedTry,
  lastError: string | null,
): Promise<void> => {
  await endTry(db, delivery, { state: "retrying", lastError, settledAt: null }).execute();
};

/**
 * Records the outcome of the last attempt, counts the mail on its day, and deletes its content if so told. Changes nothing if
 * another attempt has started since.
 */
export const updateSettled = async (
  db: Kysely<Tables>,
  delivery: EndedTry,
  outcome: {
    state: SettledState;
    lastError: string | null;
    settledAt: Date;
    deletesContent?: boolean;
  },
): Promise<void> => {
  const { deletesContent = false, ...change } = outcome;
  const { state, settledAt } = change;
  const content = deletesContent ? { contentSealed: "" as const } : {};
  await db
    .with("settled", (cte) => endTry(cte, delivery, { ...change, ...content }).returning("id"))
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

/** Deletes up to `limit` mails that were settled before a time, skips locked rows, and returns the number. */
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
