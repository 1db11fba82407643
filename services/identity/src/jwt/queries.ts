import type { Insertable, Kysely, Selectable } from "kysely";
import { sql } from "kysely";
import type { SigningKeyTable, Tables } from "../db/tables.ts";

export type SigningKeyRow = Selectable<SigningKeyTable>;

/** Limits the number of published keys, however often keys are rotated. */
const publishedMax = 100;

/** Serialises the creation of keys until the transaction ends. */
export const lockSigningKeys = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('latchkey signing keys'))`.execute(trx);
};

/** Returns the keys that are not retired, or were retired after `retiredAfter`. Newest first, a hundred at most. */
export const listSigningKeys = (db: Kysely<Tables>, retiredAfter: Date): Promise<SigningKeyRow[]> =>
  db
    .selectFrom("signingKey")
    .select(["id", "alg", "publicKey", "privateKey", "createdAt", "retiredAt"])
    .where((eb) => eb.or([eb("retiredAt", "is", null), eb("retiredAt", ">", retiredAfter)]))
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(publishedMax)
    .execute();

export const insertSigningKey = async (
  db: Kysely<Tables>,
  key: Insertable<SigningKeyTable>,
): Promise<void> => {
  await db.insertInto("signingKey").values(key).execute();
};

/** Retires every active key. Returns their ids. */
export const retireSigningKeys = async (db: Kysely<Tables>, retiredAt: Date): Promise<string[]> => {
  const rows = await db
    .updateTable("signingKey")
    .set({ retiredAt })
    .where("retiredAt", "is", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
};

/** Deletes the keys retired at `retiredUntil` or before. Returns the number. */
export const deleteRetiredSigningKeys = async (
  db: Kysely<Tables>,
  retiredUntil: Date,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("signingKey")
    .where("retiredAt", "<=", retiredUntil)
    .executeTakeFirst();
  return Number(numDeletedRows);
};
