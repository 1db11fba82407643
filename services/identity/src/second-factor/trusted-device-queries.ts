import { deleteRowsBefore, namesOf, type RowOf, withoutColumns } from "@latchkey/service-kit";
import type { Insertable, Kysely } from "kysely";
import { trustedDeviceColumns, type TrustedDeviceTable } from "../db/second-factor-tables.ts";
import { type Tables } from "../db/tables.ts";

/** Trusted browsers of one user. A list shows all of them, so that each can be revoked. */
export const trustedDevicesMax = 100;

/**
 * Inserts a trusted browser and deletes the oldest of its user, so that at most `trustedDevicesMax` remain. The second factor of the user
 * must be locked. Skips browsers that a concurrent call deletes.
 */
export const insertTrustedDevice = async (
  trx: Kysely<Tables>,
  row: Insertable<TrustedDeviceTable>,
): Promise<void> => {
  await trx
    .with("dropped", (part) =>
      part.deleteFrom("trustedDevice").where("id", "in", (eb) =>
        eb
          .selectFrom("trustedDevice")
          .select("id")
          .where("userId", "=", row.userId)
          .orderBy("createdAt", "desc")
          .orderBy("id")
          .offset(trustedDevicesMax - 1)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .insertInto("trustedDevice")
    .values(row)
    .execute();
};

export interface TrustedDeviceUse {
  userId: string;
  tokenHash: Buffer;
  now: Date;
  next: { tokenHash: Buffer; expiresAt: Date; ipAddress: string; userAgent: string };
}

/**
 * Replaces the value of a trusted browser and returns when it last passed a second factor. Only one of several concurrent calls succeeds,
 * so that a copied cookie does not live on beside the browser's own.
 */
export const rotateTrustedDevice = async (
  db: Kysely<Tables>,
  { userId, tokenHash, now, next }: TrustedDeviceUse,
): Promise<Date | undefined> => {
  const row = await db
    .updateTable("trustedDevice")
    .set({ ...next, lastUsedAt: now })
    .where("tokenHash", "=", tokenHash)
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .returning("passedAt")
    .executeTakeFirst();
  return row?.passedAt;
};

const deviceColumns = withoutColumns(trustedDeviceColumns, "userId", "passedAt");

/** Returns up to `limit` trusted browsers of a user, newest first. */
export const listTrustedDeviceRows = (
  db: Kysely<Tables>,
  { userId, now, limit }: { userId: string; now: Date; limit: number },
): Promise<RowOf<typeof deviceColumns>[]> =>
  db
    .selectFrom("trustedDevice")
    .select(namesOf(deviceColumns))
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();

export const countTrustedDevices = async (
  db: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<number> => {
  const { count } = await db
    .selectFrom("trustedDevice")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .executeTakeFirstOrThrow();
  return count;
};

/** Ends the trust in one browser of a user, named by its id or by the hash of its value. Returns false if there is none. */
export const deleteTrustedDevice = async (
  db: Kysely<Tables>,
  { userId, ...named }: { userId: string } & ({ id: string } | { tokenHash: Buffer }),
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("trustedDevice")
    .where("userId", "=", userId)
    .where((eb) => eb.and(named))
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Ends the trust in every browser of a user. Returns the number. */
export const deleteTrustedDevices = async (db: Kysely<Tables>, userId: string): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("trustedDevice")
    .where("userId", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

/** Deletes up to `limit` trusted browsers whose trust expired before `now`. Returns the number. */
export const deleteExpiredTrustedDevices = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "trustedDevice", { key: ["id"], column: "expiresAt", before: now, limit });
