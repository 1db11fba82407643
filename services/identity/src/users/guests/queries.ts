import type { Kysely } from "kysely";
import type { Tables } from "../../db/tables.ts";
import { type UserRow, userSelection } from "../user-row.ts";
import type { NewUser } from "../queries.ts";

/** Records that a new user is a guest. */
export const insertGuest = async (
  trx: Kysely<Tables>,
  { id: userId, createdAt }: Pick<UserRow, "createdAt" | "id">,
): Promise<void> => {
  await trx.insertInto("guest").values({ userId, createdAt }).execute();
};

/**
 * Makes a guest a user with these members, and keeps its id and age. Returns undefined for anybody who is no guest, or no longer one: of
 * several concurrent sign-ups of a guest one succeeds. Rejects with a unique violation if the address is taken.
 */
export const identifyGuest = async (
  trx: Kysely<Tables>,
  { id, createdAt: _, extra, ...members }: NewUser,
): Promise<UserRow | undefined> => {
  const { numDeletedRows } = await trx
    .deleteFrom("guest")
    .where("userId", "=", id)
    .where("endedAt", "is", null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return undefined;
  return trx
    .updateTable("user")
    .set({ ...members, extra: JSON.stringify(extra) })
    .where("id", "=", id)
    .returning(userSelection)
    .executeTakeFirst();
};

/** Ends a guest. Returns true for exactly one of several concurrent calls, and false if it has signed up (ADR 122). */
export const endGuest = async (
  trx: Kysely<Tables>,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable("guest")
    .set({ endedAt: now })
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Returns whether a locked user has not signed up. A guest that was handed over still is one. */
export const isGuest = async (trx: Kysely<Tables>, userId: string): Promise<boolean> => {
  const guest = trx.selectFrom("guest").select("userId").where("userId", "=", userId);
  return (await guest.executeTakeFirst()) !== undefined;
};

/** Returns the oldest guests of each kind, up to `limit`: those that ended before a time, and the others whose age counts from before one. */
export const listOldGuests = async (
  db: Kysely<Tables>,
  times: { endedBefore: Date; createdBefore: Date },
  limit: number,
): Promise<{ userId: string; endedAt: Date | null }[]> => {
  const guests = db.selectFrom("guest").select(["userId", "endedAt"]).limit(limit);
  const ended = guests.where("endedAt", "<", times.endedBefore).orderBy("endedAt");
  const aged = guests
    .where("endedAt", "is", null)
    .where("createdAt", "<", times.createdBefore)
    .orderBy("createdAt");
  return [...(await ended.execute()), ...(await aged.execute())];
};

/** Lets the age of a guest that is in use count anew, so that the sweep reaches those behind it. */
export const renewGuest = async (
  db: Kysely<Tables>,
  { userId, now }: { userId: string; now: Date },
): Promise<void> => {
  await db.updateTable("guest").set({ createdAt: now }).where("userId", "=", userId).execute();
};

/** Records which of these imported users are guests. Their age counts from the import, because their sessions are imported later. */
export const recordImportedGuests = async (
  trx: Kysely<Tables>,
  { userIds, now }: { userIds: readonly string[]; now: Date },
): Promise<void> => {
  if (userIds.length === 0) return;
  const users = await trx
    .selectFrom("user")
    .select(["id", "isAnonymous"])
    .where("id", "in", userIds)
    .execute();
  const idsOf = (isGuest: boolean) =>
    users.filter(({ isAnonymous }) => isAnonymous === isGuest).map(({ id }) => id);
  const [guests, others] = [idsOf(true), idsOf(false)];
  if (others.length > 0) await trx.deleteFrom("guest").where("userId", "in", others).execute();
  if (guests.length > 0)
    await trx
      .insertInto("guest")
      .values(guests.map((userId) => ({ userId, createdAt: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
};
