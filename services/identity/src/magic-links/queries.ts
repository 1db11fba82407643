import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** The beginning of the identifiers of sign-in links. */
export const magicLinkPrefix = "magic-link:";

const table = sql.id(schema, "verification");

/**
 * Uses up a link, and every other one of the same address. Returns true for exactly one of several concurrent uses of any of these
 * links: each locks all of them, in one order.
 */
export const consumeMagicLink = async (
  trx: Kysely<Tables>,
  { identifier, subjects, now }: { identifier: string; subjects: readonly string[]; now: Date },
): Promise<boolean> => {
  const { rows } = await sql<{ isUsed: boolean }>`
    delete from ${table} where id in (
      select id from ${table}
      where value = any(${subjects}::text[]) and identifier like ${`${magicLinkPrefix}%`}
        and exists (select from ${table} where identifier = ${identifier} and expires_at > ${now})
      order by id for update
    )
    returning identifier = ${identifier} as "isUsed"`.execute(trx);
  return rows.some(({ isUsed }) => isUsed);
};

/** Deletes every link of an address. */
export const deleteMagicLinks = async (
  trx: Kysely<Tables>,
  subjects: readonly string[],
): Promise<void> => {
  await sql`
    delete from ${table} where id in (
      select id from ${table}
      where value = any(${subjects}::text[]) and identifier like ${`${magicLinkPrefix}%`}
      order by id for update
    )`.execute(trx);
};
