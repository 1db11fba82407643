import type { Insertable, Kysely } from "kysely";
import type { BackupCodeTable } from "../db/second-factor-tables.ts";
import type { Tables } from "../db/tables.ts";

export const insertBackupCodes = async (
  db: Kysely<Tables>,
  rows: readonly Insertable<BackupCodeTable>[],
): Promise<void> => {
  await db.insertInto("backupCode").values(rows).execute();
};

export interface StoredBackupCode {
  id: string;
  codeSealed: string;
  isCaseSensitive: boolean;
}

/** Returns the backup codes that a user can use. */
export const listBackupCodes = (db: Kysely<Tables>, userId: string): Promise<StoredBackupCode[]> =>
  db
    .selectFrom("backupCode")
    .select(["id", "codeSealed", "isCaseSensitive"])
    .where("userId", "=", userId)
    .where("isPending", "=", false)
    .execute();

export const countBackupCodes = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("backupCode")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .where("isPending", "=", false)
    .executeTakeFirstOrThrow();
  return count;
};

/** Uses up a backup code. Returns true for exactly one of several concurrent calls. */
export const deleteBackupCode = async (db: Kysely<Tables>, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("backupCode")
    .where("id", "=", id)
    .where("isPending", "=", false)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Deletes the backup codes of a user: those in use, or those of a prepared app. */
export const deleteBackupCodes = async (
  db: Kysely<Tables>,
  userId: string,
  { isPending }: { isPending: boolean },
): Promise<void> => {
  await db
    .deleteFrom("backupCode")
    .where("userId", "=", userId)
    .where("isPending", "=", isPending)
    .execute();
};

/** Puts the backup codes of a prepared app in the place of those in use. */
export const confirmBackupCodes = async (db: Kysely<Tables>, userId: string): Promise<void> => {
  await deleteBackupCodes(db, userId, { isPending: false });
  await db
    .updateTable("backupCode")
    .set({ isPending: false })
    .where("userId", "=", userId)
    .execute();
};

/** Returns up to `limit` backup codes that another secret has sealed, with ids after `after`. */
export const listStaleBackupCodes = (
  db: Kysely<Tables>,
  { sealedBy, after, limit }: { sealedBy: string; after: string; limit: number },
): Promise<{ id: string; userId: string; codeSealed: string }[]> =>
  db
    .selectFrom("backupCode")
    .select(["id", "userId", "codeSealed"])
    .where("sealedBy", "!=", sealedBy)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();

/** Replaces a sealed backup code. */
export const resealBackupCode = async (
  db: Kysely<Tables>,
  { id, ...sealed }: { id: string; codeSealed: string; sealedBy: string },
): Promise<void> => {
  await db.updateTable("backupCode").set(sealed).where("id", "=", id).execute();
};
