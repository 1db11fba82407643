import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

/** Returns the addressee of mail to an address. `email` must be in lower case. */
export const findAddressee = (
  db: Kysely<Tables>,
  email: string,
): Promise<{ id: string; name: string; emailVerified: boolean } | undefined> =>
  db
    .selectFrom("user")
    .select(["id", "name", "emailVerified"])
    .where("email", "=", email)
    .executeTakeFirst();

/**
 * Returns whether a user's password was written after a time that is known in whole seconds. A password of the same
 * second counts as older.
 */
export const isPasswordNewer = async (
  db: Kysely<Tables>,
  userId: string,
  moment: Date,
): Promise<boolean> => {
  const newer = await db
    .selectFrom("account")
    .select("id")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("updatedAt", ">=", new Date(moment.getTime() + 1000))
    .executeTakeFirst();
  return newer !== undefined;
};
