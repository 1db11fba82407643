import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../db/tables.ts";

/** Of users that are gone: later than any revision. */
const lastEpoch = Number.MAX_SAFE_INTEGER;

/** The channel on which a committed change of epochs is told. */
export const epochChannel = "latchkey_user_epoch";

/**
 * Notes that cached sessions of a user that are older than `epoch` are good for nothing, and tells who listens once the
 * transaction commits.
 */
export const publishEpoch = async (
  trx: Kysely<Tables>,
  { userId, epoch, now }: { userId: string; epoch: number; now: Date },
): Promise<void> => {
  await trx
    .with("told", (cte) =>
      cte
        .insertInto("userEpoch")
        .values({ userId, epoch, changedAt: now, transactionId: sql`pg_current_xact_id()` })
        .onConflict((conflict) =>
          conflict.column("userId").doUpdateSet((eb) => ({
            epoch: sql<number>`greatest(${eb.ref("userEpoch.epoch")}, ${eb.ref("excluded.epoch")})`,
            changedAt: eb.ref("excluded.changedAt"),
            transactionId: eb.ref("excluded.transactionId"),
          })),
        )
        .returning("userId"),
    )
    .selectFrom("told")
    .select(sql`pg_notify(${epochChannel}, '')`.as("notified"))
    .execute();
};

/** Moves a user to the next epoch; gives it. A user who is gone has the last one. */
export const updateEpoch = async (
  trx: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<number> => {
  const advanced = await trx
    .updateTable("user")
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", userId)
    .returning("revision")
    .executeTakeFirst();
  const epoch = advanced?.revision ?? lastEpoch;
  await publishEpoch(trx, { userId, epoch, now });
  return epoch;
};

export interface EpochChanges {
  /** The snapshot of the read: `oldest running:first to come:running`, as Postgres writes it. */
  position: string;
  epochs: { userId: string; epoch: number }[];
}

/**
 * The epochs that a read at a position did not see yet, or, without one, those that changed since a moment. By snapshots,
 * not by times or numbers: transactions commit in another order than they begin, and none is missed or told twice.
 */
export const listEpochs = async (
  db: Kysely<Tables>,
  from: { after: string } | { since: Date },
): Promise<EpochChanges> => {
  const rows = await db
    .with("changed", (cte) =>
      cte
        .selectFrom("userEpoch")
        .select(["userId", "epoch"])
        .where((eb) =>
          "after" in from
            ? sql<boolean>`${eb.ref("transactionId")} >= pg_snapshot_xmin(${from.after}::pg_snapshot)
                and not pg_visible_in_snapshot(${eb.ref("transactionId")}, ${from.after}::pg_snapshot)`
            : eb("changedAt", ">=", from.since),
        ),
    )
    .selectFrom(
      sql<{
        position: string;
      }>`(select pg_current_snapshot()::text as position)`.as("here"),
    )
    .leftJoin("changed", (join) => join.onTrue())
    .select(["here.position", "changed.userId", "changed.epoch"])
    .execute();
  return {
    position: rows[0]?.position ?? "", // there is always a row
    epochs: rows.flatMap(({ userId, epoch }) =>
      userId === null || epoch === null ? [] : [{ userId, epoch }],
    ),
  };
};

/** Forgets epochs that no cached session can be older than; gives how many. */
export const deleteOldEpochs = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("userEpoch")
    .where("userId", "in", (eb) =>
      eb
        .selectFrom("userEpoch")
        .select("userId")
        .where("changedAt", "<", before)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
