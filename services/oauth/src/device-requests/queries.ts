import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { DeviceState, Tables } from "../db/tables.ts";

export type DeviceRequestRow = Selectable<Tables["deviceRequest"]>;

/** The most requests of a client that wait at a time, for one address. */
const waitingMax = 100;

/** Stores a request. Returns false if too many of the same client and address wait. */
export const insertDeviceRequest = async (
  trx: Kysely<Tables>,
  row: Insertable<Tables["deviceRequest"]>,
): Promise<boolean> => {
  const { clientId, addressMac } = row;
  const lock = `latchkey device ${clientId} ${addressMac}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
  const { count } = await trx
    .selectFrom("deviceRequest")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("clientId", "=", clientId)
    .where("addressMac", "=", addressMac)
    .where("state", "=", "pending")
    .where("expiresAt", ">", row.createdAt)
    .executeTakeFirstOrThrow();
  if (count >= waitingMax) return false;
  await trx.insertInto("deviceRequest").values(row).execute();
  return true;
};

/** Returns the request of a user's code, whose MAC depends on the secret. */
export const findDeviceRequest = (
  db: Kysely<Tables>,
  macs: readonly string[],
): Promise<DeviceRequestRow | undefined> =>
  db.selectFrom("deviceRequest").selectAll().where("userCodeMac", "in", macs).executeTakeFirst();

/** Decides a request: of any number of callers exactly one gets true. */
export const decideDeviceRequest = async (
  db: Kysely<Tables>,
  hash: Buffer,
  {
    now,
    ...decision
  }: Pick<DeviceRequestRow, "accessEpoch" | "authentication" | "grantId" | "userId"> & {
    state: Exclude<DeviceState, "pending">;
    now: Date;
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("deviceRequest")
    .set(decision)
    .where("hash", "=", hash)
    .where("state", "=", "pending")
    .where("expiresAt", ">", now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Which requests a device may poll. */
export interface DevicePoll {
  hash: Buffer;
  clientIds: readonly string[];
  /** Whether the device gets a session, and not tokens. */
  getsSession: boolean;
  now: Date;
}

/**
 * Records a poll and returns its request. A poll that comes too soon while the user has not decided makes the interval 5 seconds longer
 * (RFC 8628 section 3.5). The row lock counts concurrent polls one after the other.
 */
export const pollDeviceRequest = async (
  db: Kysely<Tables>,
  { hash, clientIds, getsSession, now }: DevicePoll,
): Promise<(DeviceRequestRow & { isTooSoon: boolean }) | undefined> => {
  if (clientIds.length === 0) return undefined;
  const isTooSoon = sql<boolean>`
    before.state = 'pending'
    and coalesce(before.polled_at + make_interval(secs => before.interval_seconds) > ${now}, false)`;
  return db
    .with("before", (query) =>
      query
        .selectFrom("deviceRequest")
        .select(["hash", "state", "polledAt", "intervalSeconds"])
        .where("hash", "=", hash)
        .where("clientId", "in", clientIds)
        .where("payload", getsSession ? "is" : "is not", null)
        .forUpdate(),
    )
    .updateTable("deviceRequest")
    .from("before")
    .set({
      polledAt: now,
      intervalSeconds: sql<number>`before.interval_seconds + case when ${isTooSoon} then 5 else 0 end`,
    })
    .whereRef("deviceRequest.hash", "=", "before.hash")
    .returningAll("deviceRequest")
    .returning(isTooSoon.as("isTooSoon"))
    .executeTakeFirst();
};

/** Uses an approved request up: of any number of callers exactly one gets it. */
export const useDeviceRequest = (
  db: Kysely<Tables>,
  hash: Buffer,
  now: Date,
): Promise<DeviceRequestRow | undefined> =>
  db
    .deleteFrom("deviceRequest")
    .where("hash", "=", hash)
    .where("state", "=", "approved")
    .where("expiresAt", ">", now)
    .returningAll()
    .executeTakeFirst();

/** Puts a request back whose use has failed. */
export const restoreDeviceRequest = async (
  db: Kysely<Tables>,
  row: DeviceRequestRow,
): Promise<void> => {
  await db.insertInto("deviceRequest").values(row).execute();
};

/** Wrong codes within half an hour. Of 40 bits, they find none. */
const tries = { max: 5, milliseconds: 1_800_000 };

/**
 * Takes one of the tries at user codes. Returns undefined, or when the next one is if none is left. The guard runs under the lock of the
 * row, so concurrent callers never exceed the maximum.
 */
export const takeUserCodeTry = async (
  db: Kysely<Tables>,
  key: string,
  now: Date,
): Promise<Date | undefined> => {
  const expiresAt = new Date(now.getTime() + tries.milliseconds);
  const isOver = sql<boolean>`user_code_try.expires_at <= ${now}`;
  const recordedTry = await db
    .insertInto("userCodeTry")
    .values({ key, tryCount: 1, expiresAt })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({
          tryCount: sql<number>`case when ${isOver} then 1 else user_code_try.try_count + 1 end`,
          expiresAt: sql<Date>`case when ${isOver} then excluded.expires_at else user_code_try.expires_at end`,
        })
        .where((eb) => eb.or([isOver, eb("userCodeTry.tryCount", "<", tries.max)])),
    )
    .returning("key")
    .executeTakeFirst();
  if (recordedTry) return undefined;
  const row = await db
    .selectFrom("userCodeTry")
    .select("expiresAt")
    .where("key", "=", key)
    .executeTakeFirst();
  return row?.expiresAt ?? expiresAt;
};

/** Gives a try back, because its code was right. */
export const returnUserCodeTry = async (db: Kysely<Tables>, key: string): Promise<void> => {
  await db
    .updateTable("userCodeTry")
    .set({ tryCount: sql<number>`greatest(0, try_count - 1)` })
    .where("key", "=", key)
    .execute();
};

export const deleteExpiredDeviceRequests = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "deviceRequest", { key: ["hash"], column: "expiresAt", before, limit });

export const deleteExpiredUserCodeTries = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "userCodeTry", { key: ["key"], column: "expiresAt", before, limit });
