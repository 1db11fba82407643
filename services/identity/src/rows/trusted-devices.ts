import {
  deleteRowsBefore,
  namesOf,
  type RowOf,
  withoutColumns,
} from "@latchkey/service-kit/database";
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

/** The former value of a rotation stays good for so long, because concurrent sign-ins of one browser send the same value. */
const graceMilliseconds = 30_000;

/**
 * Replaces the value of a trusted browser and returns when it last passed a second factor. One of several concurrent calls replaces the
 * value. The others use the former one, which does not live on, so that a copied cookie does not either.
 */
export const rotateTrustedDevice = async (
  db: Kysely<Tables>,
  { userId, tokenHash, now, next }: TrustedDeviceUse,
): Promise<{ passedAt: Date; isRotated: boolean } | undefined> => {
  const { tokenHash: nextHash, ...rest } = next;
  const graceStart = new Date(now.getTime() - graceMilliseconds);
  const row = await db
    .updateTable("trustedDevice")
    .set((eb) => {
      const isCurrent = eb("tokenHash", "=", tokenHash);
      return {
        ...rest,
        lastUsedAt: now,
        tokenHash: eb.case().when(isCurrent).then(nextHash).else(eb.ref("tokenHash")).end(),
        previousTokenHash: tokenHash,
        rotatedAt: eb.case().when(isCurrent).then(now).else(eb.ref("rotatedAt")).end(),
      };
    })
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .where((eb) =>
      eb.or([
        eb("tokenHash", "=", tokenHash),
        eb.and([eb("previousTokenHash", "=", tokenHash), eb("rotatedAt", ">", graceStart)]),
      ]),
    )
    .returning(["passedAt", "tokenHash"])
    .executeTakeFirst();
  return row && { passedAt: row.passedAt, isRotated: row.tokenHash.equals(nextHash) };
};

const deviceColumns = withoutColumns(
  trustedDeviceColumns,
  "userId",
  "passedAt",
  "previousTokenHash",
  "rotatedAt",
);

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
