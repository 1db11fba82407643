import type { Insertable, Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

export const insertVerification = async (
  db: Kysely<Tables>,
  row: Insertable<Tables["verification"]>,
): Promise<void> => {
  await db.insertInto("verification").values(row).execute();
};

/** Inserts a row unless one has its identifier; one of many at once is told true. */
export const insertVerificationOnce = async (
  db: Kysely<Tables>,
  row: Insertable<Tables["verification"]>,
): Promise<boolean> => {
  const inserted = await db
    .insertInto("verification")
    .values(row)
    .onConflict((conflict) => conflict.column("identifier").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Deletes the token of an identifier, should there be one. */
export const deleteVerification = async (db: Kysely<Tables>, identifier: string): Promise<void> => {
  await db.deleteFrom("verification").where("identifier", "=", identifier).execute();
};

/** The value of a token that is still good; it stays good. */
export const findVerification = async (
  db: Kysely<Tables>,
  identifier: string,
  now: Date,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom("verification")
    .select("value")
    .where("identifier", "=", identifier)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  return row?.value;
};

/**
 * Uses a token up and gives its value, or what is sealed of it; one of many at once gets it. With `value`, only the token
 * of that value.
 */
export const consumeVerification = async (
  db: Kysely<Tables>,
  { identifier, now, value }: { identifier: string; now: Date; value?: string },
): Promise<string | undefined> => {
  const row = await db
    .deleteFrom("verification")
    .where("identifier", "=", identifier)
    .where("expiresAt", ">", now)
    .$if(value !== undefined, (query) => query.where("value", "=", value ?? ""))
    .returning((eb) => eb.fn.coalesce("sealed", "value").as("value"))
    .executeTakeFirst();
  return row?.value;
};

/**
 * Deletes every token of a value whose identifier begins with `prefix`. One that is being used at this very moment is
 * passed by rather than waited for: its use ends it.
 */
export const deleteVerificationsOf = async (
  db: Kysely<Tables>,
  value: string,
  prefix: string,
): Promise<void> => {
  await db
    .deleteFrom("verification")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("verification")
        .select("id")
        .where("value", "=", value)
        .where("identifier", "like", `${prefix}%`)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
};

/** Deletes up to `limit` tokens that expired before `now`; gives how many. */
export const deleteExpiredVerifications = async (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("verification")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("verification")
        .select("id")
        .where("expiresAt", "<", now)
        .orderBy("expiresAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

/** Whom mail to an address goes to; `email` in lower case. */
export const findAddressee = (
  db: Kysely<Tables>,
  email: string,
): Promise<{ id: string; name: string; emailVerified: boolean } | undefined> =>
  db
    .selectFrom("user")
    .select(["id", "name", "emailVerified"])
    .where("email", "=", email)
    .executeTakeFirst();
