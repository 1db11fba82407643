import {
  compileOnce,
  compileTogether,
  deleteRowsBefore,
  namesOf,
  picker,
  plannedList,
  type Slots,
  snakeCase,
} from "@latchkey/service-kit/database";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema } from "../db/schema.ts";
import { sessionColumns, type Tables, userColumns } from "../db/tables.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import { userSelection, type UserRow } from "../users/user-row.ts";
import type {
  AuthenticationChange,
  FoundSession,
  SessionExtension,
  SessionPlace,
  StoredSession,
} from "./store/session-store.ts";
import { sessionToTexts } from "./store/session-texts.ts";

const sessionNames = namesOf(sessionColumns);

/**
 * Locks a user who may have sessions. Returns false if there is none. A ban either commits before, or waits and then finds the session.
 * With `isAlone`, concurrent calls for the same user wait for each other.
 */
export const lockSessionHolder = async (
  trx: Kysely<Tables>,
  userId: string,
  { now, isAlone = false }: { now: Date; isAlone?: boolean },
): Promise<boolean> => {
  const eligibleUser = trx
    .selectFrom("user")
    .select("id")
    .where("id", "=", userId)
    .where((eb) => eb.or([eb("banned", "=", false), eb("banExpires", "<=", now)]));
  const holder = await (
    isAlone ? eligibleUser.forNoKeyUpdate() : eligibleUser.forShare()
  ).executeTakeFirst();
  return holder !== undefined;
};

/** Locks a live session, so that none of several concurrent ends comes before the commit. Returns false if there is none. */
export const lockSession = async (trx: Kysely<Tables>, tokenHash: Buffer): Promise<boolean> => {
  const session = await trx
    .selectFrom("session")
    .select("id")
    .where("tokenHash", "=", tokenHash)
    .where("revokedAt", "is", null)
    .forShare()
    .executeTakeFirst();
  return session !== undefined;
};

export const insertSession = async (
  db: Kysely<Tables>,
  { extra, ...session }: StoredSession,
): Promise<void> => {
  await db
    .insertInto("session")
    .values({ ...session, extra: JSON.stringify(extra) })
    .execute();
};

/** The name of a session's column in a row that also has the columns of the user. */
const joinedName = (name: string): string => `session${name[0]?.toUpperCase()}${name.slice(1)}`;

const selectSessions = compileOnce(
  (db: Kysely<Tables>, { tokenHashes }: Slots<{ tokenHashes: readonly Buffer[] }>) =>
    db
      .selectFrom("session")
      .innerJoin("user", "user.id", "session.userId")
      .select((eb) => sessionNames.map((name) => eb.ref(`session.${name}`).as(joinedName(name))))
      .select(userSelection)
      .where("session.tokenHash", "=", sql<Buffer>`any(${tokenHashes}::bytea[])`)
      .where("session.revokedAt", "is", null),
);

const pickSession = picker<StoredSession>(sessionNames, joinedName);
const pickUser = picker<UserRow>(namesOf(userColumns));

const noHash = Buffer.alloc(0);

/** Returns the sessions of these tokens with their users, in no particular order and without revoked ones. */
export const findSessions = async (
  db: Kysely<Tables>,
  tokenHashes: readonly Buffer[],
): Promise<FoundSession[]> => {
  const rows = await selectSessions.rows(db, { tokenHashes: plannedList(tokenHashes, noHash) });
  return rows.map((row) => ({ session: pickSession(row), user: pickUser(row) }));
};

/** Extends a live session unless it was extended since `seenUpdatedAt`. One of several concurrent calls wins. */
export const extendSessionRow = async (
  db: Kysely<Tables>,
  { tokenHash, seenUpdatedAt }: { tokenHash: Buffer; seenUpdatedAt: Date },
  { expiresAt, updatedAt, tokenSealed }: SessionExtension,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ expiresAt, updatedAt, tokenSealed })
    .where("tokenHash", "=", tokenHash)
    .where("updatedAt", "=", seenUpdatedAt)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const deleteExpiredSession = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
  now: Date,
): Promise<void> => {
  await db
    .deleteFrom("session")
    .where("tokenHash", "=", tokenHash)
    .where("expiresAt", "<", now)
    .execute();
};

/** Deletes up to `limit` sessions that expired before `now`, skipping locked rows. Returns the number. */
export const deleteExpiredSessions = (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> =>
  deleteRowsBefore(db, "session", { key: ["id"], column: "expiresAt", before: now, limit });

/** Ends one session: deletes its row or, with `keep`, marks it. Returns false if it was not live. */
export const revokeSessionRow = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
  keep: Date | undefined,
): Promise<boolean> => {
  if (keep) {
    const { numUpdatedRows } = await db
      .updateTable("session")
      .set({ revokedAt: keep })
      .where("tokenHash", "=", tokenHash)
      .where("revokedAt", "is", null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }
  const { numDeletedRows } = await db
    .deleteFrom("session")
    .where("tokenHash", "=", tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** Ends all sessions of a user except `except`: deletes their rows or, with `keep`, marks them. */
export const revokeSessionRows = async (
  db: Kysely<Tables>,
  userId: string,
  { except, keep }: { except: Buffer | undefined; keep: Date | undefined },
): Promise<void> => {
  const exceptHash = except ?? noHash;
  if (keep)
    await db
      .updateTable("session")
      .set({ revokedAt: keep })
      .where("userId", "=", userId)
      .where("tokenHash", "!=", exceptHash)
      .where("revokedAt", "is", null)
      .execute();
  else
    await db
      .deleteFrom("session")
      .where("userId", "=", userId)
      .where("tokenHash", "!=", exceptHash)
      .execute();
};

/** A change of a session: its organization and team, some of its additional fields, or how its user was authenticated. */
interface SessionChange {
  activeOrganizationId?: string | null;
  activeTeamId?: string | null;
  fields?: FieldValues;
  authentication?: AuthenticationChange;
}

/** Changes a live session. Returns false without such a session. */
export const updateSession = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
  { fields, authentication, ...members }: SessionChange,
): Promise<boolean> => {
  const extra = fields && sql<string>`extra || ${JSON.stringify(fields)}::jsonb`;
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ ...members, ...authentication, ...(extra ? { extra } : {}) })
    .where("tokenHash", "=", tokenHash)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Returns those of the users who have a live session in an organization or a team of it. */
export const listOrganizationHolders = async (
  db: Kysely<Tables>,
  userIds: readonly string[],
  { organizationId, teamId }: SessionPlace,
): Promise<string[]> => {
  const rows = await db
    .selectFrom("session")
    .select("userId")
    .distinct()
    .where("activeOrganizationId", "=", organizationId)
    .$if(teamId !== undefined, (query) => query.where("activeTeamId", "=", teamId ?? ""))
    .where("userId", "=", sql<string>`any(${[...userIds]}::text[])`)
    .where("revokedAt", "is", null)
    .execute();
  return rows.map(({ userId }) => userId);
};

/** Removes an organization with its team, or only a team, from a user's live sessions. Returns false if none worked in it. */
export const clearActiveOrganization = async (
  db: Kysely<Tables>,
  userId: string,
  { organizationId, teamId }: SessionPlace,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ activeTeamId: null, ...(teamId === undefined ? { activeOrganizationId: null } : {}) })
    .where("userId", "=", userId)
    .where("activeOrganizationId", "=", organizationId)
    .$if(teamId !== undefined, (query) => query.where("activeTeamId", "=", teamId ?? ""))
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Returns the live sessions of a user, newest first. */
export const listSessionRows = compileTogether(
  { userId: "text", now: "timestamptz" },
  (
    db: Kysely<Tables>,
    { userId, now, limit }: Slots<{ userId: string; now: Date; limit: number }>,
  ) =>
    db
      .selectFrom("session")
      .select(sessionNames)
      .where("userId", "=", userId)
      .where("expiresAt", ">", now)
      .where("revokedAt", "is", null)
      .orderBy("createdAt", "desc")
      .orderBy(sql`id`)
      .limit(limit),
).rows;

/**
 * The user of a row exists and was not claimed here. The lock lets a concurrent claim finish first, and makes it wait for the
 * rows of this statement, which it then deletes.
 */
export const hasUserOf = (userId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from ${sql.id(schema, "user")} as u where u.id = ${userId} and u.sessions_ended_at is null for share)`;

/** Inserts new sessions of existing users. Returns the hashes of the inserted ones, in hex. */
export const insertSessions = async (
  db: Kysely<Tables>,
  sessions: readonly FoundSession[],
): Promise<Set<string>> => {
  const json = JSON.stringify(sessions.map(({ session }) => sessionToTexts(session)));
  const columns = Object.entries(sessionColumns);
  const values = columns.map(
    ([name, { type }]) => sql`(given ->> ${sql.lit(snakeCase(name))})::${sql.raw(type)}`,
  );
  const { rows } = await sql<{ hash: string }>`
    insert into ${sql.id(schema, "session")} (${sql.join(columns.map(([name]) => sql.ref(name)))})
    select ${sql.join(values)}
    from jsonb_array_elements(${json}::jsonb) as given
    where ${hasUserOf(sql`given ->> 'user_id'`)}
    on conflict do nothing
    returning encode(token_hash, 'hex') as hash`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
};
