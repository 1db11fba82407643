import { type Kysely, sql } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import type { SignedRow } from "./chain-queries.ts";

type Db = Kysely<KitTables>;

/** Returns the chain's start, or undefined if nothing was pruned. */
export const findStart = (db: Db): Promise<SignedRow | undefined> =>
  db
    .selectFrom("auditStart")
    .select(["position", "hash", "sealedAt", "signature"])
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();

/** Returns the checkpoint or the start at a position. */
export const findSigned = (
  db: Db,
  table: "auditCheckpoint" | "auditStart",
  position: number,
): Promise<SignedRow | undefined> =>
  db
    .selectFrom(table)
    .select(["position", "hash", "sealedAt", "signature"])
    .where("position", "=", position)
    .executeTakeFirst();

/** Returns the seal with the lowest position. */
export const findFirstSeal = (db: Db): Promise<{ position: number; auditId: number } | undefined> =>
  db
    .selectFrom("auditSeal")
    .select(["position", "auditId"])
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();

export const insertStart = async (trx: Db, start: SignedRow): Promise<void> => {
  await trx.insertInto("auditStart").values(start).execute();
};

/** Returns the last checkpoint after the start that precedes both the first entry from this time on and the last entry. */
export const findLastCheckpointBefore = (trx: Db, before: Date): Promise<SignedRow | undefined> =>
  trx
    .selectFrom("auditCheckpoint")
    .select(["position", "hash", "sealedAt", "signature"])
    .where(({ eb, selectFrom, fn }) =>
      eb(
        "position",
        "<",
        fn<number>("least", [
          selectFrom("auditSeal")
            .innerJoin("audit", "audit.id", "auditSeal.auditId")
            .where("audit.occurredAt", ">=", before)
            .select((kept) => kept.fn.min("auditSeal.position").as("position")),
          selectFrom("auditSeal").select((last) => last.fn.max("position").as("position")),
        ]),
      ),
    )
    .where(({ eb, selectFrom }) =>
      eb.not(
        eb.exists(
          selectFrom("auditStart")
            .select("position")
            .whereRef("auditStart.position", ">=", "auditCheckpoint.position"),
        ),
      ),
    )
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();

/**
 * Deletes entries with their seals up to a position, and returns their number. Stops at the last checkpoint within `limit`, or
 * else at the next one, so that the remaining entries always begin at a signed place.
 */
export const deleteEntries = async (
  db: Db,
  schema: string,
  { upTo, limit }: { upTo: number; limit: number },
): Promise<number> => {
  const seals = sql.id(schema, "audit_seal");
  const checkpoints = sql.id(schema, "audit_checkpoint");
  const { rows } = await sql<{ count: number }>`
    with first as (
      select min(position) as position from ${seals}
    ), signed as (
      select coalesce(
        (select max(position) from ${checkpoints}
          where position between (select position from first) and ${upTo}
            and position < (select position from first) + ${limit}),
        (select min(position) from ${checkpoints}
          where position between (select position from first) and ${upTo}),
        ${upTo}
      ) as position
    ), gone as (
      delete from ${seals} where position <= (select position from signed) returning audit_id
    ), emptied as (
      delete from ${sql.id(schema, "audit")} as audit using gone where audit.id = gone.audit_id
    )
    select count(*) from gone`.execute(db);
  return rows[0]?.count ?? 0;
};

export const deleteCheckpoints = async (db: Db, upTo: number): Promise<void> => {
  await db.deleteFrom("auditCheckpoint").where("position", "<=", upTo).execute();
};
