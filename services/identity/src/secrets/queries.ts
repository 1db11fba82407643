import { compileOnce, deleteRowsBefore, type Slots } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** The stored parts of a secret. `sealed` holds its content. */
export interface StoredSecret {
  value: string;
  sealed: string | null;
  createdAt: Date;
  expiresAt: Date;
}

const stored = ["value", "sealed", "createdAt", "expiresAt"] as const;
const table = sql.id(schema, "verification");

export const insertSecret = async (
  db: Kysely<Tables>,
  row: Insertable<Tables["verification"]>,
): Promise<void> => {
  await db.insertInto("verification").values(row).execute();
};

/** Inserts a row unless its identifier exists. Returns true for exactly one of several concurrent calls. */
export const insertSecretOnce = async (
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

/** Returns a secret that may have expired. */
export const findSecret = (
  db: Kysely<Tables>,
  identifier: string,
): Promise<StoredSecret | undefined> =>
  db
    .selectFrom("verification")
    .select(stored)
    .where("identifier", "=", identifier)
    .executeTakeFirst();

interface Use {
  identifier: string;
  now: Date;
  value: string;
  /** Whether only a row with content is a secret. Any other marks one as used. */
  isSealed: boolean;
}

/** An event is inserted by a compiled statement, too. If this one took longer, the time would show that a mail was not sent. */
const deleteUsed = ({ ofValue }: { ofValue: boolean }) =>
  compileOnce((db: Kysely<Tables>, { identifier, now, value, isSealed }: Slots<Use>) =>
    db
      .deleteFrom("verification")
      .where("identifier", "=", identifier)
      .where("expiresAt", ">", now)
      .where(sql<boolean>`(sealed is not null or not ${isSealed}::boolean)`)
      .$if(ofValue, (query) => query.where("value", "=", value))
      .returning(stored),
  );
const deleteAnyUsed = deleteUsed({ ofValue: false });
const deleteUsedOfValue = deleteUsed({ ofValue: true });

/** Uses up a secret. Only one of several concurrent calls gets it. With `value`, uses up only a secret of that value. */
export const consumeSecret = (
  db: Kysely<Tables>,
  { identifier, now, value, isSealed }: Omit<Use, "value"> & { value?: string | undefined },
): Promise<StoredSecret | undefined> =>
  (value === undefined ? deleteAnyUsed : deleteUsedOfValue).first(db, {
    identifier,
    now,
    value: value ?? "",
    isSealed,
  });

/**
 * Uses up a secret, and every other one of the same kind and values. Returns it for exactly one of several concurrent uses of any of them:
 * each locks all of them, in one order.
 */
export const consumeAll = async (
  trx: Kysely<Tables>,
  {
    identifier,
    prefix,
    values,
    now,
  }: { identifier: string; prefix: string; values: readonly string[]; now: Date },
): Promise<StoredSecret | undefined> => {
  const { rows } = await sql<StoredSecret & { identifier: string }>`
    delete from ${table} where id in (
      select id from ${table}
      where value = any(${values}::text[]) and identifier like ${`${prefix}%`}
        and exists (
          select from ${table}
          where identifier = ${identifier} and expires_at > ${now} and value = any(${values}::text[])
        )
      order by id for update
    )
    returning identifier, value, sealed, created_at as "createdAt", expires_at as "expiresAt"`.execute(
    trx,
  );
  return rows.find((row) => row.identifier === identifier);
};

export interface SecretsOf {
  values: readonly string[];
  prefixes: readonly string[];
  /** Only those created at this time or later. */
  since?: Date | undefined;
  /** Whether to skip those that a concurrent use has locked. It deletes them anyway, and may wait for the caller's locks. */
  skipsLocked?: boolean | undefined;
}

/** Deletes every secret of these values and kinds. */
export const deleteSecretsOf = async (
  trx: Kysely<Tables>,
  { values, prefixes, since, skipsLocked = false }: SecretsOf,
): Promise<void> => {
  const patterns = prefixes.map((prefix) => `${prefix}%`);
  const lock = skipsLocked ? sql`for update skip locked` : sql`order by id for update`;
  await sql`
    delete from ${table} where id in (
      select id from ${table}
      where value = any(${values}::text[]) and identifier like any(${patterns}::text[])
        and created_at >= ${since ?? "-infinity"}
      ${lock}
    )`.execute(trx);
};

/** Deletes up to `limit` secrets that expired before `now`. Returns the number. */
export const deleteExpiredSecrets = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "verification", { key: ["id"], column: "expiresAt", before: now, limit });
