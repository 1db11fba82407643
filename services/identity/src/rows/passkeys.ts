import { namesOf, type RowOf } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, sql } from "kysely";
import { passkeyColumns, type PasskeyTable } from "../db/passkey-tables.ts";
import type { Tables } from "../db/tables.ts";

export type PasskeyRow = RowOf<typeof passkeyColumns>;

const selection = namesOf(passkeyColumns);

/** Returns every passkey of a user, oldest first. */
export const listPasskeyRows = (db: Kysely<Tables>, userId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom("passkey")
    .select(selection)
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

export const countPasskeys = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("passkey")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
};

/** Returns a passkey, and its user's handle if they have one. */
export const findPasskey = (
  db: Kysely<Tables>,
  credentialId: Buffer,
): Promise<(PasskeyRow & { handle: Buffer | null }) | undefined> =>
  db
    .selectFrom("passkey")
    .leftJoin("passkeyUser", "passkeyUser.userId", "passkey.userId")
    .select(selection.map((name) => `passkey.${name}` as const))
    .select("passkeyUser.handle")
    .where("credentialId", "=", credentialId)
    .executeTakeFirst();

/** Returns whether a passkey is still there, and still its user's: the undo of a merge gives it to another one. */
export const isPasskeyStored = async (
  db: Kysely<Tables>,
  { id, userId }: Pick<PasskeyRow, "id" | "userId">,
): Promise<boolean> => {
  const stored = await db
    .selectFrom("passkey")
    .select("id")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return stored !== undefined;
};

/**
 * Inserts a passkey unless its credential is registered, by whichever user. Returns undefined for all but one of several concurrent calls.
 */
export const insertPasskey = (
  db: Kysely<Tables>,
  passkey: Insertable<PasskeyTable>,
): Promise<PasskeyRow | undefined> =>
  db
    .insertInto("passkey")
    .values(passkey)
    .onConflict((conflict) => conflict.column("credentialId").doNothing())
    .returning(selection)
    .executeTakeFirst();

export const updatePasskeyName = (
  db: Kysely<Tables>,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<PasskeyRow | undefined> =>
  db
    .updateTable("passkey")
    .set({ name })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .returning(selection)
    .executeTakeFirst();

/** The state of an authenticator in an assertion. */
export interface PasskeyUse extends Pick<PasskeyRow, "backedUp" | "counter" | "deviceType" | "id"> {
  usedAt: Date;
}

/**
 * Records a use. Returns false if the counter did not grow, which shows a copy of the passkey, or if the device type differs. Both are
 * decided by this statement, so that one of two concurrent uses with the same counter fails. Authenticators without a counter send 0.
 */
export const updatePasskeyUse = async (
  db: Kysely<Tables>,
  { id, counter, backedUp, deviceType, usedAt }: PasskeyUse,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("passkey")
    .set({ counter, backedUp, lastUsedAt: usedAt })
    .where("id", "=", id)
    .where("deviceType", "=", deviceType)
    .where((eb) =>
      eb.or([
        eb("counter", "<", counter),
        eb.and([eb("counter", "=", 0), eb(sql`${counter}::bigint`, "=", 0)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Deletes a passkey of a user. Returns undefined if there is none. */
export const deletePasskeyRow = (
  db: Kysely<Tables>,
  { id, userId }: { id: string; userId: string },
): Promise<PasskeyRow | undefined> =>
  db
    .deleteFrom("passkey")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .returning(selection)
    .executeTakeFirst();

/** Deletes the passkeys of a user, their handle and the registrations that they have begun. Returns the deleted passkeys. */
export const deletePasskeys = async (
  db: Kysely<Tables>,
  userId: string,
): Promise<Pick<PasskeyRow, "id" | "name">[]> => {
  await db.deleteFrom("passkeyChallenge").where("userId", "=", userId).execute();
  await db.deleteFrom("passkeyUser").where("userId", "=", userId).execute();
  return db.deleteFrom("passkey").where("userId", "=", userId).returning(["id", "name"]).execute();
};

/** Deletes the passkeys that a user has registered since a time, and the registrations that they have begun. Returns the passkeys. */
export const deletePasskeysSince = async (
  db: Kysely<Tables>,
  userId: string,
  since: Date,
): Promise<Pick<PasskeyRow, "id" | "name">[]> => {
  await db.deleteFrom("passkeyChallenge").where("userId", "=", userId).execute();
  return db
    .deleteFrom("passkey")
    .where("userId", "=", userId)
    .where("createdAt", ">=", since)
    .returning(["id", "name"])
    .execute();
};

/** Returns the handle of a user, which is `proposed` if they have none. All concurrent calls return the same. */
export const findOrInsertHandle = async (
  db: Kysely<Tables>,
  userId: string,
  proposed: Buffer,
): Promise<Buffer> => {
  const { handle } = await db
    .insertInto("passkeyUser")
    .values({ userId, handle: proposed })
    // An update that changes nothing makes the statement return the present row.
    .onConflict((conflict) =>
      conflict.column("userId").doUpdateSet({ handle: sql<Buffer>`passkey_user.handle` }),
    )
    .returning("handle")
    .executeTakeFirstOrThrow();
  return handle;
};
