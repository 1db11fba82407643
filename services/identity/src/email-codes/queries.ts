import { deleteRowsBefore } from "@latchkey/service-kit/database";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import { schema } from "../db/schema.ts";
import type { MailedCodeTable } from "../db/mailed-code-tables.ts";
import type { Tables } from "../db/tables.ts";

type NewCode = Insertable<MailedCodeTable>;

const codes = sql.id(schema, "mailed_code");
const guesses = sql.id(schema, "mailed_code_guess");

/** Stores a code in place of the earlier one of the same browser, with no tries. Without `replaces`, a live one stays. */
export const insertCode = async (
  trx: Kysely<Tables>,
  row: NewCode,
  { replaces }: { replaces: boolean },
): Promise<void> => {
  const { code, isMailed, sealed, expiresAt, createdAt } = row;
  const tries = { ownTries: 0, foreignTries: 0 };
  await trx
    .insertInto("mailedCode")
    .values(row)
    .onConflict((conflict) => {
      const stored = conflict
        .columns(["subject", "browser"])
        .doUpdateSet({ code, isMailed, sealed, expiresAt, createdAt, ...tries });
      return replaces ? stored : stored.where("mailedCode.expiresAt", "<=", createdAt);
    })
    .execute();
};

/** Codes of one address and purpose that are valid at the same time, each of another browser. */
const browsersMax = 100;

/**
 * Returns whether one more code can be stored. Anybody can request codes for an address without keeping a cookie, and each request is then
 * that of a new browser.
 */
export const hasRoomForCode = async (
  trx: Kysely<Tables>,
  { subject, browser, createdAt }: Pick<NewCode, "browser" | "subject"> & { createdAt: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    select from ${codes}
    where subject = ${subject} and browser <> ${browser} and expires_at > ${createdAt}
    limit ${browsersMax}`.execute(trx);
  return rows.length < browsersMax;
};

/** A code whose try was taken. `tries` includes this one. `isOwn` means that the caller's browser requested it. */
export type TriedCode = Pick<
  Selectable<MailedCodeTable>,
  "id" | "code" | "sealed" | "expiresAt"
> & { tries: number; isOwn: boolean };

export interface TryRule {
  subjects: readonly string[];
  /** Tries of a code. One more is counted, so that the caller can report the limit once. */
  max: number;
  /** The browsers of the caller. */
  browsers: readonly string[];
  /** Whether to look for a code of these browsers, or for one of others. */
  isOwn: boolean;
  /** Whether others can only be services. */
  onlyServices: boolean;
}

/**
 * Takes a try of the caller's own code, or of the newest one that others requested, before the code is compared. Returns undefined
 * if no code has a try left. The first attempt after the last try still gets the code, with `tries` above `max`, so that the caller
 * can report the limit once. Concurrent tries wait for the row, so at most `max` of them may compare.
 */
export const takeTry = async (
  db: Kysely<Tables>,
  { subjects, max, browsers, isOwn, onlyServices }: TryRule,
): Promise<TriedCode | undefined> => {
  const count = sql.id(isOwn ? "own_tries" : "foreign_tries");
  const isChosen = isOwn
    ? sql`browser = any(${browsers}::text[])`
    : sql`browser <> all(${browsers}::text[]) and (browser = '' or not ${onlyServices}::boolean)`;
  const { rows } = await sql<Omit<TriedCode, "isOwn">>`
    update ${codes} set ${count} = ${count} + 1
    where id = (
      select id from ${codes}
      where subject = any(${subjects}::text[]) and ${isChosen} and ${count} <= ${max}
      order by is_mailed desc, created_at desc, id limit 1 for update
    )
    returning id, code, sealed, expires_at as "expiresAt", ${count} as tries`.execute(db);
  return rows[0] && { ...rows[0], isOwn };
};

/** Gives back a try of a right code that is not used up. */
export const giveBackTry = async (
  db: Kysely<Tables>,
  { id, code, isOwn }: { id: string; code: string; isOwn: boolean },
): Promise<void> => {
  const column = isOwn ? "ownTries" : "foreignTries";
  await db
    .updateTable("mailedCode")
    .set((eb) => ({ [column]: eb(column, "-", 1) }))
    .where("id", "=", id)
    .where("code", "=", code)
    .where(column, ">", 0)
    .execute();
};

/** Uses up a code. Returns true for exactly one of several concurrent calls. */
export const consumeCode = async (
  trx: Kysely<Tables>,
  { id, code, now }: { id: string; code: string; now: Date },
): Promise<boolean> => {
  const used = await trx
    .deleteFrom("mailedCode")
    .where("id", "=", id)
    .where("code", "=", code)
    .where("expiresAt", ">", now)
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
};

export const deleteCode = async (db: Kysely<Tables>, id: string): Promise<void> => {
  await db.deleteFrom("mailedCode").where("id", "=", id).execute();
};

/** Deletes every code of these subjects, in one order, so that concurrent calls do not deadlock. */
export const deleteCodesOf = async (
  trx: Kysely<Tables>,
  subjects: readonly string[],
): Promise<void> => {
  await sql`
    delete from ${codes} where id in (
      select id from ${codes} where subject = any(${subjects}::text[]) order by id for update
    )`.execute(trx);
};

/** At most `max` wrong codes in a window of `window` seconds. */
export interface GuessLimit {
  window: number;
  max: number;
  now: Date;
}

/**
 * Takes a guess before a code is looked at. Returns false if none is left. The guard runs under the lock of the row, so concurrent
 * callers never exceed `max`.
 */
export const takeGuess = async (
  db: Kysely<Tables>,
  key: string,
  { window, max, now }: GuessLimit,
): Promise<boolean> => {
  const hasPassed = sql`held.window_start <= ${now}::timestamptz - make_interval(secs => ${window})`;
  const { rows } = await sql`
    insert into ${guesses} as held (key, count, window_start) values (${key}, 1, ${now})
    on conflict (key) do update set
      count = case when ${hasPassed} then 1 else held.count + 1 end,
      window_start = case when ${hasPassed} then ${now}::timestamptz else held.window_start end
    where ${hasPassed} or held.count < ${max}
    returning held.key`.execute(db);
  return rows.length > 0;
};

/** Gives back a guess that was right, or compared nothing. */
export const giveBackGuess = async (db: Kysely<Tables>, key: string): Promise<void> => {
  await db
    .updateTable("mailedCodeGuess")
    .set((eb) => ({ count: eb("count", "-", 1) }))
    .where("key", "=", key)
    .where("count", ">", 0)
    .execute();
};

/** Returns whether a guess is left. */
export const hasGuess = async (
  db: Kysely<Tables>,
  key: string,
  { window, max, now }: GuessLimit,
): Promise<boolean> => {
  const full = await db
    .selectFrom("mailedCodeGuess")
    .select("key")
    .where("key", "=", key)
    .where("count", ">=", max)
    .where("windowStart", ">", new Date(now.getTime() - window * 1000))
    .executeTakeFirst();
  return full === undefined;
};

/** Deletes up to `limit` codes that expired before `before`. Returns the number. */
export const deleteExpiredCodes = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "mailedCode", { key: ["id"], column: "expiresAt", before, limit });

/** Deletes up to `limit` counts whose window began before `before`. Returns the number. */
export const deletePassedGuesses = (
  db: Kysely<Tables>,
  before: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "mailedCodeGuess", { key: ["key"], column: "windowStart", before, limit });
