import { type Kysely, sql } from "kysely";
import type { KitTables } from "../database/kit-tables.ts";
import type { SignedRow } from "./chain-queries.ts";

type Db = Kysely<KitTables>;

/** Where the chain begins; undefined where nothing was pruned. */
export const findStart = (db: Db): Promise<SignedRow | undefined> =>
  db
    .selectFrom("auditStart")
    .select(["position", "hash", "sealedAt", "signature"])
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();

/** The checkpoint or the start at a position. */
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

/** The seal with the lowest position of all. */
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

/** The last checkpoint after the start, before the first entry that is not older than a moment, and before the last entry of all. */
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
 * Removes entries up to a position with their seals, from the first one up to the last checkpoint within `limit`, or else the next
 * one, so that what is left always begins at a signed place; gives how many.
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
