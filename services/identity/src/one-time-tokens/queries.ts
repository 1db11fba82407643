import { compileOnce, deleteRowsBefore, type Slots } from "@latchkey/service-kit";
import type { Insertable, Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

export const insertVerification = async (
  db: Kysely<Tables>,
  row: Insertable<Tables["verification"]>,
): Promise<void> => {
  await db.insertInto("verification").values(row).execute();
};

/** Inserts a row unless its identifier exists. Returns true for exactly one of several concurrent calls. */
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

/** Deletes the token with an identifier, if it exists. */
export const deleteVerification = async (db: Kysely<Tables>, identifier: string): Promise<void> => {
  await db.deleteFrom("verification").where("identifier", "=", identifier).execute();
};

/** Returns the value of a valid token, which stays valid. */
export const findVerification = async (
  db: Kysely<Tables>,
  identifier: string,
  now: Date,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom("verification")
    .select((eb) => eb.fn.coalesce("sealed", "value").as("value"))
    .where("identifier", "=", identifier)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  return row?.value;
};

/** Returns the data and the expiry of a token that may have expired. */
export const findAnyVerification = (
  db: Kysely<Tables>,
  identifier: string,
): Promise<{ value: string; expiresAt: Date } | undefined> =>
  db
    .selectFrom("verification")
    .select(["value", "expiresAt"])
    .where("identifier", "=", identifier)
    .executeTakeFirst();

interface Use {
  identifier: string;
  now: Date;
  value: string;
}

/** An event is inserted by a compiled statement, too. If this one took longer, the time would show that a mail was not sent. */
const consumeRow = ({ ofValue }: { ofValue: boolean }) =>
  compileOnce((db: Kysely<Tables>, { identifier, now, value }: Slots<Use>) =>
    db
      .deleteFrom("verification")
      .where("identifier", "=", identifier)
      .where("expiresAt", ">", now)
      .$if(ofValue, (query) => query.where("value", "=", value))
      .returning((eb) => eb.fn.coalesce("sealed", "value").as("value")),
  );
const consumeAny = consumeRow({ ofValue: false });
const consumeOfValue = consumeRow({ ofValue: true });

/**
 * Uses up a token and returns its value, or its sealed data. Only one of several concurrent calls gets it. With `value`,
 * uses up only a token of that value.
 */
export const consumeVerification = async (
  db: Kysely<Tables>,
  { identifier, now, value }: Omit<Use, "value"> & { value?: string },
): Promise<string | undefined> => {
  const statement = value === undefined ? consumeAny : consumeOfValue;
  return (await statement.first(db, { identifier, now, value: value ?? "" }))?.value;
};

/**
 * Deletes every token of a value whose identifier begins with `prefix`. Skips a token that is locked by a concurrent use,
 * which deletes it anyway.
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

/** Deletes up to `limit` tokens that expired before `now`. Returns the number. */
export const deleteExpiredVerifications = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "verification", { key: ["id"], column: "expiresAt", before: now, limit });
