import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { dayOf } from "@latchkey/service-kit/statistics";
import type { Room } from "@latchkey/service-kit/deliver";
import { type Insertable, type Kysely, type QueryCreator, sql } from "kysely";
import type { PersonExport } from "@latchkey/contracts";
import {
  type AttemptOutcome,
  type Channel,
  type DeliveryTable,
  schema,
  type Tables,
} from "../db/tables.ts";

export interface ClaimedDelivery {
  id: string;
  channel: Channel;
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

/** The states of a mail that will be sent. An index has their rows, so the text is the same as there. */
const isPending = sql<boolean>`state in ('queued', 'sending', 'retrying')`;

interface Claim extends Omit<Room, "running"> {
  channel: Channel;
  /** Maximum number of mails that were attempted before. */
  repeatedLimit: number;
}

const selectDue = (db: QueryCreator<Tables>, channel: Channel) =>
  db
    .selectFrom("delivery")
    .select("id")
    .where(isPending)
    .where("channel", "=", channel)
    .forUpdate()
    .skipLocked();

const claimDue = (
  db: QueryCreator<Tables>,
  { channel, limit, repeatedLimit, leaseSeconds }: Claim,
) =>
  db
    .with("first", (cte) =>
      // The order by both columns is that of the index, which no other index of the table has.
      selectDue(cte, channel)
        .where("leaseUntil", "is", null)
        .orderBy("leaseUntil")
        .orderBy("createdAt")
        .limit(limit),
    )
    .with("repeated", (cte) =>
      selectDue(cte, channel)
        .where("leaseUntil", "<=", sql<Date>`now()`)
        .orderBy("leaseUntil")
        .orderBy("createdAt")
        .limit(Math.max(0, Math.min(limit, repeatedLimit))),
    )
    .updateTable("delivery")
    .set((eb) => ({
      state: "sending" as const,
      attempts: eb("attempts", "+", 1),
      leaseUntil: sql<Date>`now() + make_interval(secs => ${leaseSeconds})`,
    }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("repeated")
        .select("id")
        .unionAll(eb.selectFrom("first").select("id"))
        .limit(limit),
    )
    .returning(["id", "channel", "eventId", "event", "recipient", "subject"])
    .returning(["contentSealed", "attempts"])
    .returning((eb) => eb("attempts", "-", eb.ref("attemptsForgiven")).as("tries"))
    .returning(sql<boolean>`coalesce(send_before <= now(), false)`.as("isLate"));

/**
 * Claims due messages of a channel for the duration of the lease: some of those whose delay or lease has ended, and others that were not attempted since they
 * were requested or retried. Of concurrent calls, one gets a mail. The database's clock measures the lease, because a mailer whose clock is an
 * hour ahead would otherwise keep a mail for an hour longer. Also records the start of each attempt, so that a crash leaves a trace of it, and
 * deletes the oldest attempts.
 */
export const claimDeliveries = (db: Kysely<Tables>, claim: Claim): Promise<ClaimedDelivery[]> =>
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
    .execute();

/** The outcome of an attempt. */
export interface MailOutcome {
  id: string;
  /** The number of the attempt. */
  attempts: number;
  state: AttemptOutcome;
  lastError: string | null;
  /** End of the attempt, by which a mail is counted. */
  endedAt: Date;
  deletesContent: boolean;
  /** Seconds until the next attempt, if another follows. */
  delaySeconds: number;
}

const endTry = (
  db: QueryCreator<Tables>,
  { id, attempts, state, lastError, endedAt, deletesContent, delaySeconds }: MailOutcome,
) =>
  db
    .updateTable("delivery")
    .set({
      state,
      lastError,
      ...(state === "retrying"
        ? { settledAt: null, leaseUntil: sql<Date>`now() + make_interval(secs => ${delaySeconds})` }
        : { settledAt: endedAt, leaseUntil: null }),
      ...(deletesContent && { contentSealed: "" as const }),
    })
    .where("id", "=", id)
    .where("state", "=", "sending")
    .where("attempts", "=", attempts)
    .returning(["id", "channel"]);

/** Records the outcome of an attempt in the history of its mail, also if another attempt has started since. */
const endAttempt = (db: QueryCreator<Tables>, { id, attempts, state, lastError }: MailOutcome) =>
  db
    .updateTable("deliveryAttempt")
    .set({ endedAt: sql<Date>`now()`, outcome: state, reason: lastError })
    .where("deliveryId", "=", id)
    .where("number", "=", attempts);

/** Records the outcome of an attempt, and counts a settled mail on its day. The statistics are of mails alone. Does not change the mail if another attempt has started since. */
export const settleAttempt = async (db: Kysely<Tables>, outcome: MailOutcome): Promise<void> => {
  const { state, endedAt } = outcome;
  const ended = db
    .with("ended", (cte) => endTry(cte, outcome))
    .with("recorded", (cte) => endAttempt(cte, outcome));
  if (state === "retrying") await ended.selectNoFrom(sql.lit(1).as("done")).execute();
  else
    await ended
      .insertInto("deliveryDay")
      .columns(["day", state])
      .expression((eb) =>
        eb
          .selectFrom("ended")
          .select([sql`${dayOf(endedAt.getTime())}::date`.as("day"), sql.lit(1).as("count")])
          .where("channel", "=", "mail"),
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

/** Returns the number of failed messages of a channel that were requested within a period, at most 10,000. */
export const countFailedDeliveries = async (
  db: Kysely<Tables>,
  periodSeconds: number,
  channel: Channel = "mail",
): Promise<number> => {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom("delivery")
        .select("id")
        .where("state", "=", "failed")
        .where("channel", "=", channel)
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

type Dated<T> = { [Name in keyof T]: T[Name] | Date };

/** Selects mails to an address in lower case, and text messages of its user, without their content, oldest first. */
export const selectMails = ({ email, userId }: { email: string; userId: string }) => sql<
  Dated<PersonExport["mails"][number]>
>`
  select id, event, recipient, subject, state, attempts, created_at, settled_at
  from ${sql.id(schema, "delivery")}
  where lower(recipient) collate "C" = ${email} or (user_id = ${userId} and channel = 'text')
  order by created_at, id`;
