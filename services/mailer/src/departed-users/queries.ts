import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, sql } from "kysely";
import type { DepartedUserTable, Tables } from "../db/tables.ts";

const lockName = "latchkey departed users of the mailer";

/** Shared lock of a transaction that stores a mail. It excludes the deletion of users. */
export const lockForMail = async (db: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${lockName}))`.execute(db);
};

/** Exclusive lock of a transaction that deletes a user, so that every mail is either stored before it or sees it. */
export const lockForDeparture = async (db: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext(${lockName}))`.execute(db);
};

/** Records a deleted user. A second call changes nothing. */
export const insertDeparted = async (
  db: Kysely<Tables>,
  departed: Insertable<DepartedUserTable>,
): Promise<void> => {
  await db
    .insertInto("departedUser")
    .values(departed)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Clocks of services may differ by this much. A user who is created anew with the same id gets mails after it. */
const clockSkewMilliseconds = 300_000;

/** A mail that may name a deleted user. */
export interface NamedInMail {
  userId: string | undefined;
  addressMacs: readonly string[];
  /** Time of the request. A later owner of a deleted user's address receives their own mails. */
  occurredAt: Date;
}

/** Returns whether a mail names a recently deleted user, or goes to such a user's address. */
export const namesDeparted = async (
  db: Kysely<Tables>,
  { userId = "", addressMacs, occurredAt }: NamedInMail,
): Promise<boolean> => {
  const earliest = new Date(occurredAt.getTime() - clockSkewMilliseconds);
  const row = await db
    .selectFrom("departedUser")
    .select("userId")
    .where((eb) =>
      eb.or([
        eb.and([eb("userId", "=", userId), eb("departedAt", ">=", earliest)]),
        eb.and([eb("addressMac", "in", addressMacs), eb("departedAt", ">=", occurredAt)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Deletes all mails that a user received or caused, and those to the last address until the deletion. Returns their number. */
export const deleteDeliveriesOf = async (
  db: Kysely<Tables>,
  { userId, email, deletedAt }: { userId: string; email: string | undefined; deletedAt: Date },
): Promise<number> => {
  const byAddress = sql<string>`lower(recipient) collate "C"`;
  const { numDeletedRows } = await db
    .deleteFrom("delivery")
    .where((eb) =>
      eb.or([
        eb("userId", "=", userId),
        ...(email === undefined
          ? []
          : [eb.and([eb(byAddress, "=", email), eb("createdAt", "<=", deletedAt)])]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Deletes the records of up to `limit` users who were deleted before a time, and returns their number. */
export const deleteDeparted = (db: Kysely<Tables>, before: Date, limit: number): Promise<number> =>
  deleteRowsBefore(db, "departedUser", { key: ["userId"], column: "departedAt", before, limit });
