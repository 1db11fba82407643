import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";

/** Browsers of one user. A further one replaces the one that was seen least recently. */
const knownBrowsersMax = 100;
/** A program that signs in without cookies is a new browser each time. */
const addedPerDayMax = 5;

/** The browser of a sign-in. */
interface SeenBrowser {
  userId: string;
  /** The hash of the value that the browser has for the user. */
  knownHash: Buffer | undefined;
  /** The hash of the value that it gets if it is new. */
  nextHash: Buffer;
  now: Date;
}

const isKnownBrowser = async (
  trx: Kysely<Tables>,
  { userId, knownHash, now }: SeenBrowser,
): Promise<boolean> => {
  if (!knownHash) return false;
  const { numUpdatedRows } = await trx
    .updateTable("knownBrowser")
    .set({ lastSeenAt: now })
    .where("userId", "=", userId)
    .where("browserHash", "=", knownHash)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Records that a user signs in in a browser. The user must be locked, so that the limits are exact. Returns `ignored` for a new browser
 * after too many others of one day, which stays unknown, and `first` for a user who has not signed in before.
 */
export const seeBrowser = async (
  trx: Kysely<Tables>,
  seen: SeenBrowser,
): Promise<"first" | "ignored" | "known" | "new"> => {
  if (await isKnownBrowser(trx, seen)) return "known";
  const { userId, nextHash, now } = seen;
  const table = sql.id(schema, "known_browser");
  const { rows } = await sql<{ addedLately: number; hasSignedIn: boolean }>`
    select count(*) filter (where created_at > ${now}::timestamptz - interval '1 day') as "addedLately",
      count(*) > 0
        or exists (select from ${sql.id(schema, "last_sign_in")} where user_id = ${userId}) as "hasSignedIn"
    from ${table} where user_id = ${userId}`.execute(trx);
  const { addedLately = 0, hasSignedIn = false } = rows[0] ?? {};
  if (addedLately >= addedPerDayMax) return "ignored";
  await sql`
    delete from ${table} where user_id = ${userId} and browser_hash in (
      select browser_hash from ${table} where user_id = ${userId}
      order by last_seen_at desc, browser_hash offset ${knownBrowsersMax - 1})`.execute(trx);
  await trx
    .insertInto("knownBrowser")
    .values({ userId, browserHash: nextHash, createdAt: now, lastSeenAt: now })
    .execute();
  return hasSignedIn ? "new" : "first";
};

/** Makes every browser of a user unknown. */
export const deleteKnownBrowsers = async (trx: Kysely<Tables>, userId: string): Promise<void> => {
  await trx.deleteFrom("knownBrowser").where("userId", "=", userId).execute();
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
