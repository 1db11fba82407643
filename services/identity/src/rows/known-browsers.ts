import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** A browser in which a user signs in. */
interface SeenBrowser {
  isKnown: boolean;
  /** Whether the user has signed in before, in any browser. */
  hasSignedIn: boolean;
  /** The other browsers that were added within the last day. */
  addedLately: number;
}

/** Records that a user signs in in a browser. Of several concurrent calls for a new browser, one finds it unknown. */
export const seeBrowser = async (
  db: Kysely<Tables>,
  { userId, browserHash, now }: { userId: string; browserHash: Buffer; now: Date },
): Promise<SeenBrowser> => {
  const table = sql.id(schema, "known_browser");
  const { rows } = await sql<SeenBrowser>`
    with touched as (
      update ${table} set last_seen_at = ${now}
      where user_id = ${userId} and browser_hash = ${browserHash} returning 1),
    added as (
      insert into ${table} (user_id, browser_hash, created_at, last_seen_at)
      select ${userId}, ${browserHash}, ${now}::timestamptz, ${now}::timestamptz
      where not exists (select from touched)
      on conflict do nothing returning 1)
    select not exists (select from added) as "isKnown",
      exists (select from ${table} where user_id = ${userId})
        or exists (select from ${sql.id(schema, "last_sign_in")} where user_id = ${userId}) as "hasSignedIn",
      (select count(*) from ${table}
        where user_id = ${userId} and created_at > ${now}::timestamptz - interval '1 day') as "addedLately"`.execute(
    db,
  );
  return rows[0] ?? { isKnown: true, hasSignedIn: true, addedLately: 0 };
};

/** Deletes browsers that were last seen before a time. Returns the number. */
export const deleteBrowsersBefore = async (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> => {
  const table = sql.id(schema, "known_browser");
  const { numAffectedRows } = await sql`
    delete from ${table} where ctid in (
      select ctid from ${table} where last_seen_at < ${before} limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0);
};
