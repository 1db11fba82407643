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

/** Removes entries up to a position with their seals, the first ones, `limit` at most; gives how many. */
export const deleteEntries = async (
  db: Db,
  schema: string,
  { upTo, limit }: { upTo: number; limit: number },
): Promise<number> => {
  const seals = sql.id(schema, "audit_seal");
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from ${seals} where position in (
        select position from ${seals} where position <= ${upTo} order by position limit ${limit}
      ) returning audit_id
    ), emptied as (
      delete from ${sql.id(schema, "audit")} as audit using gone where audit.id = gone.audit_id
    )
    select count(*) from gone`.execute(db);
  return rows[0]?.count ?? 0;
};

export const deleteCheckpoints = async (db: Db, upTo: number): Promise<void> => {
  await db.deleteFrom("auditCheckpoint").where("position", "<=", upTo).execute();
};
