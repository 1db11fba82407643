import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../db/tables.ts";

/** The version of deleted users: higher than any revision. */
const lastRevision = Number.MAX_SAFE_INTEGER;

/** The channel that signals a committed change of versions. */
export const revisionChannel = "latchkey_user_epoch";

/**
 * Records that a user's cached sessions older than `epoch` are invalid, and notifies listeners once the transaction
 * commits.
 */
export const publishRevision = async (
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
    .select(sql`pg_notify(${revisionChannel}, '')`.as("notified"))
    .execute();
};

/** Increments the user revision and returns it. A deleted user has the last one. */
export const updateRevision = async (
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
  const epoch = advanced?.revision ?? lastRevision;
  await publishRevision(trx, { userId, epoch, now });
  return epoch;
};

export interface RevisionChanges {
  /** The snapshot of the read, as Postgres writes it: `xmin:xmax:running`. */
  position: string;
  epochs: { userId: string; epoch: number }[];
}

/**
 * Returns the versions that a read at a position did not include or, without one, those that changed since a time. It
 * compares snapshots rather than times or numbers, because transactions commit in another order than they begin. None is
 * thus missed or returned twice.
 */
export const listRevisions = async (
  db: Kysely<Tables>,
  from: { after: string } | { since: Date },
): Promise<RevisionChanges> => {
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
    position: rows[0]?.position ?? "", // the query always returns a row
    epochs: rows.flatMap(({ userId, epoch }) =>
      userId === null || epoch === null ? [] : [{ userId, epoch }],
    ),
  };
};

/** Deletes versions that no cached session can be older than. Returns the number. */
export const deleteOldRevisions = async (
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
