import type { AccountRow } from "@latchkey/contracts";
import type { Insertable, Kysely } from "kysely";
import type { AccountTable, Tables } from "../db/tables.ts";

/** Returns the password account of a user, with the stored hash if it has one. */
export const findPasswordAccount = (
  db: Kysely<Tables>,
  userId: string,
): Promise<(AccountRow & { password: string | null }) | undefined> =>
  db
    .selectFrom("account")
    .select(["id", "userId", "providerId", "accountId", "password"])
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .executeTakeFirst();

/** Returns the user with a lower-case address and locks the address until the transaction ends. */
export const lockAddressee = (
  trx: Kysely<Tables>,
  email: string,
): Promise<{ id: string; name: string } | undefined> =>
  trx
    .selectFrom("user")
    .select(["id", "name"])
    .where("email", "=", email)
    .forShare()
    .executeTakeFirst();

/**
 * Writes the hash of a user's password account and returns the account's id, or undefined if there is none. With `seen`,
 * writes only if that hash is still stored. Null stands for an account without a password.
 */
export const updatePassword = async (
  db: Kysely<Tables>,
  change: {
    userId: string;
    password: string;
    /** An admin or a service sets it for a proven address. */
    provisioned: boolean;
    now: Date;
    seen?: string | null | undefined;
  },
): Promise<string | undefined> => {
  const { userId, password, provisioned, now, seen } = change;
  const updated = await db
    .updateTable("account")
    .set({
      password,
      provisioned,
      resetRequiredAt: null,
      invitedAt: null,
      compromisedAt: null,
      updatedAt: now,
    })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .$if(seen !== undefined, (query) =>
      query.where("password", "is not distinct from", seen ?? null),
    )
    .returning("id")
    .executeTakeFirst();
  return updated?.id;
};

/** Replaces the stored hash of a user by another one of the same password, unless it has changed. This is no change of the password. */
export const updateHash = async (
  db: Kysely<Tables>,
  { userId, stored, upgraded }: { userId: string; stored: string; upgraded: string },
): Promise<void> => {
  await db
    .updateTable("account")
    .set({ password: upgraded })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "=", stored)
    .execute();
};

/** Inserts a password account for a user without one and returns its id. Returns undefined if there is one. */
export const insertPasswordAccount = async (
  db: Kysely<Tables>,
  account: Insertable<AccountTable>,
): Promise<string | undefined> => {
  const inserted = await db
    .insertInto("account")
    .values(account)
    .onConflict((conflict) => conflict.columns(["providerId", "accountId"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
};

/** Replaces the password of a user by one that nobody knows, until a reset. Returns false if there is none. */
export const endPassword = async (
  trx: Kysely<Tables>,
  { userId, password, now }: { userId: string; password: string; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable("account")
    .set({ password, resetRequiredAt: now, compromisedAt: null, updatedAt: now })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Returns when an admin ended the password of a user who has not chosen a new one since. */
export const findResetRequired = async (
  db: Kysely<Tables>,
  userId: string,
): Promise<Date | undefined> => {
  const row = await db
    .selectFrom("account")
    .select("resetRequiredAt")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "is not", null)
    .executeTakeFirst();
  return row?.resetRequiredAt ?? undefined;
};

/** Deletes the password of a user. The account stays, so that a new password can be set. */
export const clearPassword = async (
  db: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("account")
    .set({ password: null, provisioned: false, compromisedAt: null, updatedAt: now })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Marks a stored password as known from leaks. Returns false if it has the mark, or has been replaced. */
export const markCompromised = async (
  trx: Kysely<Tables>,
  { userId, stored, now }: { userId: string; stored: string; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable("account")
    .set({ compromisedAt: now })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "=", stored)
    .where("compromisedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
