import { deleteRowsBefore } from "@latchkey/service-kit";
import type { Kysely, Selectable } from "kysely";
import type { TwoFactorCodeTable } from "../db/second-factor-tables.ts";
import type { Tables } from "../db/tables.ts";

/** Stores a mailed code in place of the earlier one of its subject. */
export const replaceMailedCode = async (
  db: Kysely<Tables>,
  { subject, userId, ...code }: Omit<Selectable<TwoFactorCodeTable>, "tries">,
): Promise<void> => {
  const members = { ...code, tries: 0 };
  await db
    .insertInto("twoFactorCode")
    .values({ subject, userId, ...members })
    .onConflict((conflict) => conflict.column("subject").doUpdateSet(members))
    .execute();
};

/** Takes one of the tries of a mailed code and returns its MAC. Concurrent calls never exceed `max`. */
export const takeMailedCodeTry = async (
  db: Kysely<Tables>,
  { subject, now, max }: { subject: string; now: Date; max: number },
): Promise<string | undefined> => {
  const row = await db
    .updateTable("twoFactorCode")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("subject", "=", subject)
    .where("expiresAt", ">", now)
    .where("tries", "<", max)
    .returning("codeMac")
    .executeTakeFirst();
  return row?.codeMac;
};

/**
 * Ends a code whose tries are used up. Returns true for exactly one of several concurrent calls. The row stays until it expires, because
 * the last try may still be in progress and right.
 */
export const endTriedCode = async (
  db: Kysely<Tables>,
  { subject, now, max }: { subject: string; now: Date; max: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("twoFactorCode")
    .set({ tries: max + 1 })
    .where("subject", "=", subject)
    .where("expiresAt", ">", now)
    .where("tries", "=", max)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Uses up a mailed code. Returns true for exactly one of several concurrent calls. */
export const deleteMailedCode = async (
  db: Kysely<Tables>,
  { subject, codeMac }: { subject: string; codeMac: string },
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("twoFactorCode")
    .where("subject", "=", subject)
    .where("codeMac", "=", codeMac)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes up to `limit` codes that expired before `now`. Returns the number. */
export const deleteExpiredMailedCodes = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "twoFactorCode", {
    key: ["subject"],
    column: "expiresAt",
    before: now,
    limit,
  });
