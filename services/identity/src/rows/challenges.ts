import { deleteRowsBefore, namesOf, type RowOf } from "@latchkey/service-kit/database";
import type { Insertable, Kysely } from "kysely";
import { signInChallengeColumns, type SignInChallengeTable } from "../db/second-factor-tables.ts";
import { type Tables } from "../db/tables.ts";

export type ChallengeRow = RowOf<typeof signInChallengeColumns>;

/** Sign-ins of one user that wait at the same time. A thief of a password could otherwise fill the table. */
const waitingMax = 32;

/** Inserts a waiting sign-in and deletes the oldest of its user, so that at most `waitingMax` remain. The user must be locked. */
export const insertChallenge = async (
  trx: Kysely<Tables>,
  row: Insertable<SignInChallengeTable>,
): Promise<void> => {
  await trx
    .with("dropped", (part) =>
      part.deleteFrom("signInChallenge").where("tokenHash", "in", (eb) =>
        eb
          .selectFrom("signInChallenge")
          .select("tokenHash")
          .where("userId", "=", row.userId)
          .orderBy("createdAt", "desc")
          .orderBy("tokenHash")
          .offset(waitingMax - 1),
      ),
    )
    .insertInto("signInChallenge")
    .values(row)
    .execute();
};

/** Tries of one sign-in, for codes of apps and backup codes together. */
const triesMax = 5;

/** Returns a sign-in that still waits at `now`. */
export const findChallenge = (
  db: Kysely<Tables>,
  tokenHash: Buffer,
  now: Date,
): Promise<ChallengeRow | undefined> =>
  db
    .selectFrom("signInChallenge")
    .select(namesOf(signInChallengeColumns))
    .where("tokenHash", "=", tokenHash)
    .where("passedAt", "is", null)
    .where("expiresAt", ">", now)
    .where("tries", "<=", triesMax)
    .executeTakeFirst();

/** Returns the latest sign-in of a user that still waits at `now`. */
export const findWaitingChallenge = (
  db: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<Pick<ChallengeRow, "purpose" | "createdAt" | "expiresAt"> | undefined> =>
  db
    .selectFrom("signInChallenge")
    .select(["purpose", "createdAt", "expiresAt"])
    .where("userId", "=", userId)
    .where("passedAt", "is", null)
    .where("expiresAt", ">", now)
    .where("tries", "<=", triesMax)
    .orderBy("createdAt", "desc")
    .limit(1)
    .executeTakeFirst();

/** Takes one of the tries of a waiting sign-in. Returns false if none is left. Concurrent calls never exceed the limit. */
export const takeChallengeTry = async (db: Kysely<Tables>, tokenHash: Buffer): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("signInChallenge")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("tokenHash", "=", tokenHash)
    .where("passedAt", "is", null)
    .where("tries", "<", triesMax)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Ends a waiting sign-in whose tries are used up. Returns true for exactly one of several concurrent calls. The row stays, because the last
 * try may still be in progress and right.
 */
export const endTriedChallenge = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("signInChallenge")
    .set({ tries: triesMax + 1 })
    .where("tokenHash", "=", tokenHash)
    .where("passedAt", "is", null)
    .where("tries", "=", triesMax)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Uses up a waiting sign-in. Returns true for exactly one of several concurrent calls. */
export const passChallenge = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("signInChallenge")
    .set({ passedAt: now })
    .where("tokenHash", "=", tokenHash)
    .where("passedAt", "is", null)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Deletes a waiting or passed sign-in. Returns false if it has ended already. */
export const deleteChallenge = async (db: Kysely<Tables>, tokenHash: Buffer): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("signInChallenge")
    .where("tokenHash", "=", tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes up to `limit` sign-ins that expired before `now`. Returns the number. */
export const deleteExpiredChallenges = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "signInChallenge", {
    key: ["tokenHash"],
    column: "expiresAt",
    before: now,
    limit,
  });
