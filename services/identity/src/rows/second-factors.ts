import { namesOf, type RowOf } from "@latchkey/service-kit/database";
import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import { twoFactorRowColumns } from "../db/second-factor-tables.ts";
import { type Tables } from "../db/tables.ts";

export type TwoFactorRow = RowOf<typeof twoFactorRowColumns>;

export const findTwoFactor = (
  db: Kysely<Tables>,
  userId: string,
): Promise<TwoFactorRow | undefined> =>
  db
    .selectFrom("twoFactor")
    .select(namesOf(twoFactorRowColumns))
    .where("userId", "=", userId)
    .executeTakeFirst();

/**
 * Locks a user against deletion and then the row of their second factor. Every transaction of second factors locks in one order: user,
 * second factor, backup codes, mailed codes, waiting sign-ins, trusted browsers. Call it first, unless the user is locked already. A later
 * insert refers to the user, so it would otherwise wait for a deletion that waits for the second factor.
 */
export const lockTwoFactor = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await sql`
    with held as materialized (
      select id from ${sql.id(schema, "user")} where id = ${userId} for key share
    )
    select user_id from ${sql.id(schema, "two_factor")} as factor
    where user_id in (select id from held)
    for no key update of factor`.execute(trx);
};

/** Locks after `max` wrong codes in a row, until `until`. */
export interface LockRule {
  max: number;
  now: Date;
  until: Date;
}

/**
 * Counts a guess before the secret is looked at. Returns undefined if the user is locked. Concurrent guesses wait for the row, so exactly
 * `max` pass. The last one locks, and a right code unlocks.
 */
export const countGuess = async (
  db: Kysely<Tables>,
  userId: string,
  { max, now, until }: LockRule,
): Promise<{ lockedUntil: Date | null } | undefined> => {
  const { rows } = await sql<{ lockedUntil: Date | null }>`
    insert into ${sql.id(schema, "two_factor")} as held (user_id, failed_count) values (${userId}, 1)
    on conflict (user_id) do update set
      failed_count = case when held.locked_until is null then held.failed_count + 1 else 1 end,
      locked_until = case
        when held.locked_until is null and held.failed_count + 1 >= ${max}::integer then ${until}::timestamptz
      end
    where held.locked_until is null or held.locked_until <= ${now}
    returning held.locked_until as "lockedUntil"`.execute(db);
  return rows[0];
};

/** Resets the count of wrong codes in a row. */
export const resetGuesses = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await db
    .updateTable("twoFactor")
    .set({ failedCount: 0, lockedUntil: null })
    .where("userId", "=", userId)
    .execute();
};

/**
 * Records the mail about a lock. Returns false if a right code has lifted the lock meanwhile, or if the user was mailed since `since`.
 */
export const markLockNotified = async (
  db: Kysely<Tables>,
  {
    userId,
    lockedUntil,
    now,
    since,
  }: { userId: string; lockedUntil: Date; now: Date; since: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("twoFactor")
    .set({ lockNotifiedAt: now })
    .where("userId", "=", userId)
    .where("lockedUntil", "=", lockedUntil)
    .where((eb) => eb.or([eb("lockNotifiedAt", "is", null), eb("lockNotifiedAt", "<=", since)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Uses up the code of a time step. Returns true for exactly one of several concurrent calls, and never for an earlier step. */
export const takeStep = async (
  db: Kysely<Tables>,
  { userId, step, secretSealed }: { userId: string; step: number; secretSealed: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("twoFactor")
    .set({ lastStep: step, failedCount: 0, lockedUntil: null })
    .where("userId", "=", userId)
    .where("secretSealed", "=", secretSealed)
    .where("lastStep", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Stores a prepared app in place of an earlier prepared one. The confirmed app stays. */
export const keepPendingApp = async (
  db: Kysely<Tables>,
  userId: string,
  pending: { pendingSealed: string; pendingIssuer: string; pendingExpiresAt: Date },
): Promise<void> => {
  await db
    .insertInto("twoFactor")
    .values({ userId, ...pending })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(pending))
    .execute();
};

/** Turns a prepared app into the confirmed one. Returns true for exactly one of several concurrent calls. */
export const confirmPendingApp = async (
  db: Kysely<Tables>,
  {
    userId,
    pendingSealed,
    now,
    ...app
  }: {
    userId: string;
    pendingSealed: string;
    now: Date;
    secretSealed: string;
    sealedBy: string;
    issuer: string | null;
    lastStep: number;
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("twoFactor")
    .set({ ...app, pendingSealed: null, pendingIssuer: null, pendingExpiresAt: null })
    .where("userId", "=", userId)
    .where("pendingSealed", "=", pendingSealed)
    .where("pendingExpiresAt", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Records that the second factor is on, and resets the count of wrong codes. */
export const markEnabled = async (
  db: Kysely<Tables>,
  userId: string,
  enabledAt: Date,
): Promise<void> => {
  const members = { enabledAt, failedCount: 0, lockedUntil: null };
  await db
    .insertInto("twoFactor")
    .values({ userId, ...members })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet(members))
    .execute();
};

/** Drops a prepared app with its backup codes. */
export const dropPendingApp = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await trx
    .updateTable("twoFactor")
    .set({ pendingSealed: null, pendingIssuer: null, pendingExpiresAt: null })
    .where("userId", "=", userId)
    .execute();
  await trx
    .deleteFrom("backupCode")
    .where("userId", "=", userId)
    .where("isPending", "=", true)
    .execute();
};

/** Records that the password was reset by mail, for users who have a second factor. */
export const markPasswordReset = async (
  db: Kysely<Tables>,
  userId: string,
  passwordResetAt: Date,
): Promise<void> => {
  await db.updateTable("twoFactor").set({ passwordResetAt }).where("userId", "=", userId).execute();
};

/** Ends every sign-in of a user that waits for a second factor, with its mailed codes, but no trust in a browser. */
export const endChallenges = async (
  trx: Kysely<Tables>,
  userId: string,
  { exceptChallenge }: { exceptChallenge?: Buffer | undefined } = {},
): Promise<void> => {
  await trx.deleteFrom("twoFactorCode").where("userId", "=", userId).execute();
  await trx
    .deleteFrom("signInChallenge")
    .where("userId", "=", userId)
    .$if(exceptChallenge !== undefined, (query) =>
      query.where("tokenHash", "!=", exceptChallenge ?? Buffer.alloc(0)),
    )
    .execute();
};

/** Ends the trust in all browsers of a user. */
export const deleteTrustedDevices = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await trx.deleteFrom("trustedDevice").where("userId", "=", userId).execute();
};

/**
 * Ends every sign-in of a user that waits for a second factor, with its mailed codes, and the trust in all browsers. Call it in the
 * transaction of a change that invalidates them, with the user locked.
 */
export const endChallengesAndTrust = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await endChallenges(trx, userId);
  await deleteTrustedDevices(trx, userId);
};

/**
 * Deletes the second factor of a user with backup codes. The user must be locked. `twoFactorEnabled` must be written, and waiting sign-ins
 * and trust must end, in the same transaction.
 */
export const dropSecondFactor = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await trx.deleteFrom("twoFactor").where("userId", "=", userId).execute();
  await trx.deleteFrom("backupCode").where("userId", "=", userId).execute();
};

/** Deletes prepared apps that expired before `now`, with their backup codes. Returns the number of apps. */
export const deleteExpiredPending = async (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with due as (
      select user_id from ${sql.id(schema, "two_factor")}
      where pending_expires_at < ${now} limit ${limit} for update skip locked
    ), codes as (
      delete from ${sql.id(schema, "backup_code")} where is_pending and user_id in (select user_id from due)
    ), apps as (
      update ${sql.id(schema, "two_factor")}
      set pending_sealed = null, pending_issuer = null, pending_expires_at = null
      where user_id in (select user_id from due)
      returning 1
    )
    select count(*)::integer as count from apps`.execute(db);
  return rows[0]?.count ?? 0;
};
