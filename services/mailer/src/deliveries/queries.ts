import { dayOf, deleteRowsBefore } from "@latchkey/service-kit";
import { type Insertable, type Kysely, type QueryCreator, sql } from "kysely";
import type {
  AttemptOutcome,
  DeliveryState,
  DeliveryTable,
  SettledState,
  Tables,
} from "../db/tables.ts";

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

/** The attempts of a mail that are kept: more than `mail.attemptsMax` by default, so that also those before an admin's retry remain. */
const keptAttempts = 50;

/**
 * Claims a mail that is due for the duration of the lease. Of concurrent calls, one succeeds. The database's clock measures the
 * lease, because a mailer whose clock is an hour ahead would otherwise keep a mail for an hour longer. Also records the start of the
 * attempt, so that a crash leaves a trace of it, and deletes the oldest attempts.
 */
export const claimDelivery = (
  db: Kysely<Tables>,
  claim: { eventId: string; leaseSeconds: number },
): Promise<ClaimedDelivery | undefined> =>
  db
    .with("claimed", (cte) => claimDue(cte, claim))
    .with("begun", (cte) =>
      cte
        .insertInto("deliveryAttempt")
        .columns(["deliveryId", "number", "startedAt"])
        .expression((eb) =>
          eb.selectFrom("claimed").select(["id", "attempts", sql<Date>`now()`.as("startedAt")]),
        ),
    )
    .with("pruned", (cte) =>
      cte
        .deleteFrom("deliveryAttempt")
        .using("claimed")
        .whereRef("deliveryAttempt.deliveryId", "=", "claimed.id")
        .whereRef("deliveryAttempt.number", "<=", (eb) =>
          eb("claimed.attempts", "-", keptAttempts),
        ),
    )
    .selectFrom("claimed")
    .selectAll()
    .executeTakeFirst();

const claimDue = (db: QueryCreator<Tables>, claim: { eventId: string; leaseSeconds: number }) =>
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
    .returning(sql<boolean>`coalesce(send_before <= now(), false)`.as("isLate"));

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

/** Records the outcome of an attempt in the history of its mail, also if another attempt has started since. */
const endAttempt = (
  db: QueryCreator<Tables>,
  { id, attempts }: EndedTry,
  { state, lastError }: { state: AttemptOutcome; lastError: string | null },
) =>
  db
    .updateTable("deliveryAttempt")
    .set({ endedAt: sql<Date>`now()`, outcome: state, reason: lastError })
    .where("deliveryId", "=", id)
    .where("number", "=", attempts);

/** Records the failure of an attempt that will be retried. Does not change the mail if another attempt has started since. */
export const updateRetrying = async (
  db: Kysely<Tables>,
  delivery: EndedTry,
  lastError: string | null,
): Promise<void> => {
  const state = "retrying";
  await db
    .with("ended", (cte) => endTry(cte, delivery, { state, lastError, settledAt: null }))
    .with("recorded", (cte) => endAttempt(cte, delivery, { state, lastError }))
    .selectNoFrom(sql.lit(1).as("done"))
    .execute();
};

/**
 * Records the outcome of the last attempt, counts the mail on its day, and deletes its content if so told. Does not
 * change the mail if another attempt has started since.
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
    .with("recorded", (cte) => endAttempt(cte, delivery, change))
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

/** Counting stops here, so that a scrape costs little after a day of failures. */
const countedMax = 10_000;

/** Returns the number of failed mails that were requested within a period, at most 10,000. */
export const countFailedDeliveries = async (
  db: Kysely<Tables>,
  periodSeconds: number,
): Promise<number> => {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("delivery")
        .select("id")
        .where("state", "=", "failed")
        .where("createdAt", ">", sql<Date>`now() - make_interval(secs => ${periodSeconds})`)
        .limit(countedMax)
        .as("failed"),
    )
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes up to `limit` mails that were settled before a time, skips locked rows, and returns the number. */
export const deleteSettledDeliveries = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "delivery", { key: ["id"], column: "settledAt", before, limit });
