import { compileOnce, type Slots } from "@latchkey/service-kit/database";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** The revision of deleted users: higher than any revision. */
const lastRevision = Number.MAX_SAFE_INTEGER;

/** The channel that signals a committed change of revisions. */
export const revisionChannel = "latchkey_user_epoch";

/** Inserts that cached sessions older than the revisions of some rows are invalid. `from` has their `id` and `revision`. */
export const insertRevisions = (from: RawBuilder<unknown>, now: Date | RawBuilder<Date>) =>
  sql<{ userId: string }>`
    insert into ${sql.id(schema, "user_epoch")} (user_id, epoch, changed_at, transaction_id)
    select changed.id, changed.revision, ${now}::timestamptz, pg_current_xact_id() from ${from} as changed
    on conflict (user_id) do update set
      epoch = greatest(user_epoch.epoch, excluded.epoch),
      changed_at = excluded.changed_at,
      transaction_id = excluded.transaction_id
    returning user_id`;

/** Notifies listeners once the transaction commits. Belongs into a query of the inserted rows. */
export const notifyOfRevisions = sql<void>`pg_notify(${sql.lit(revisionChannel)}, '')`;

type Revised = Slots<{ userId: string; epoch: number; now: Date }>;

/**
 * Records that a user's cached sessions older than `epoch` are invalid, and notifies listeners once the transaction
 * commits.
 */
export const publishRevision = compileOnce((_: Kysely<Tables>, { userId, epoch, now }: Revised) => {
  const user = sql`(select ${userId}::text as id, ${epoch}::bigint as revision)`;
  return sql<{ notified: void }>`
      with revised as (${insertRevisions(user, now)}) select ${notifyOfRevisions} as notified from revised`;
}).rows;

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
 * Returns the revisions that a read at a position did not include or, without one, those that changed since a time. It
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

/** Deletes revisions that no cached session can be older than. Returns the number. */
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
