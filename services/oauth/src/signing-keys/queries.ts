import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../db/tables.ts";

export type SigningKeyRow = Selectable<Tables["signingKey"]>;

/** Returns the signing keys, newest first. */
export const listSigningKeys = (db: Kysely<Tables>) =>
  db.selectFrom("signingKey").selectAll().orderBy("createdAt", "desc").orderBy("id").execute();

/** Serialises the creation of keys until the transaction ends. */
export const lockSigningKeys = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('latchkey oauth signing keys'))`.execute(trx);
};

export const insertSigningKey = async (
  trx: Kysely<Tables>,
  row: Insertable<Tables["signingKey"]>,
): Promise<void> => {
  await trx.insertInto("signingKey").values(row).execute();
};

/** Deletes keys that others of the same algorithm replaced at a time or before. */
export const deleteSigningKeys = async (db: Kysely<Tables>, until: Date): Promise<void> => {
  await db
    .deleteFrom("signingKey")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("signingKey as newer")
          .select("newer.id")
          .whereRef("newer.alg", "=", "signingKey.alg")
          .whereRef("newer.createdAt", ">", "signingKey.createdAt")
          .where("newer.createdAt", "<=", until),
      ),
    )
    .execute();
};
