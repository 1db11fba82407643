import { compileOnce } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { FieldValues } from "../fields/field-set.ts";
import { userColumns, type UserRow } from "../users/user-row.ts";
import type { FoundSession, SessionExtension, StoredSession } from "./session-store.ts";

const sessionColumns = [
  "session.id",
  "session.tokenHash",
  "session.tokenSealed",
  "session.userId",
  "session.expiresAt",
  "session.createdAt",
  "session.updatedAt",
  "session.ipAddress",
  "session.userAgent",
  "session.impersonatedBy",
  "session.activeOrganizationId",
  "session.extra",
] as const;

/**
 * Locks a user who may have sessions until the transaction ends; false when there is none. A ban either came first and is
 * seen here, or waits and then finds the session that this one starts.
 */
export const lockSessionHolder = async (
  trx: Kysely<Tables>,
  userId: string,
  now: Date,
): Promise<boolean> => {
  const holder = await trx
    .selectFrom("user")
    .select("id")
    .where("id", "=", userId)
    .where((eb) => eb.or([eb("banned", "=", false), eb("banExpires", "<=", now)]))
    .forShare()
    .executeTakeFirst();
  return holder !== undefined;
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

type SessionWithUser = Omit<StoredSession, "id" | "userId" | "createdAt" | "updatedAt" | "extra"> &
  UserRow & {
    sessionId: string;
    sessionCreatedAt: Date;
    sessionUpdatedAt: Date;
    sessionExtra: FieldValues;
  };

const selectSessions = compileOnce<Tables, { tokenHashes: readonly Buffer[] }, SessionWithUser>(
  (db, param) =>
    db
      .selectFrom("session")
      .innerJoin("user", "user.id", "session.userId")
      .select([
        "session.id as sessionId",
        "session.tokenHash",
        "session.tokenSealed",
        "session.expiresAt",
        "session.createdAt as sessionCreatedAt",
        "session.updatedAt as sessionUpdatedAt",
        "session.ipAddress",
        "session.userAgent",
        "session.impersonatedBy",
        "session.activeOrganizationId",
        "session.extra as sessionExtra",
        ...userColumns,
      ])
      .where("session.tokenHash", "=", sql<Buffer>`any(${param("tokenHashes")}::bytea[])`)
      .where("session.revokedAt", "is", null),
);

const noHash = Buffer.alloc(0);

/** Postgres takes a list that it does not know for this long; each shorter one it would plan anew. */
const plannedLength = 10;

/** The sessions of tokens with their users, in no order; revoked ones are not among them. */
export const findSessions = async (
  db: Kysely<Tables>,
  tokenHashes: readonly Buffer[],
): Promise<FoundSession[]> => {
  const padding = Array.from({ length: plannedLength - tokenHashes.length }, () => noHash);
  const rows = await selectSessions(db, { tokenHashes: [...tokenHashes, ...padding] });
  return rows.map((row) => ({
    session: {
      id: row.sessionId,
      tokenHash: row.tokenHash,
      tokenSealed: row.tokenSealed,
      userId: row.id,
      expiresAt: row.expiresAt,
      createdAt: row.sessionCreatedAt,
      updatedAt: row.sessionUpdatedAt,
      ipAddress: row.ipAddress,
      userAgent: row.userAgent,
      impersonatedBy: row.impersonatedBy,
      activeOrganizationId: row.activeOrganizationId,
      extra: row.sessionExtra,
    },
    user: {
      id: row.id,
      name: row.name,
      email: row.email,
      emailVerified: row.emailVerified,
      image: row.image,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      username: row.username,
      displayUsername: row.displayUsername,
      role: row.role,
      banned: row.banned,
      banReason: row.banReason,
      banExpires: row.banExpires,
      extra: row.extra,
      revision: row.revision,
    },
  }));
};

/** Extends a live session that nobody has extended since `seenUpdatedAt`; one of many at once wins. */
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

/** Deletes up to `limit` sessions that expired before `now`, passing by rows in use; gives how many. */
export const deleteExpiredSessions = async (
  db: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom("session")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("session")
        .select("id")
        .where("expiresAt", "<", now)
        .orderBy("expiresAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .where("expiresAt", "<", now)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

/** Ends one session, by removing its row or, with `keep`, by marking it; false when none was live. */
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

/** Ends all sessions of a user but `except`, by removing their rows or, with `keep`, by marking them. */
export const revokeSessionRows = async (
  db: Kysely<Tables>,
  userId: string,
  { except, keep }: { except: Buffer | undefined; keep: Date | undefined },
): Promise<void> => {
  const spared = except ?? noHash;
  if (keep)
    await db
      .updateTable("session")
      .set({ revokedAt: keep })
      .where("userId", "=", userId)
      .where("tokenHash", "!=", spared)
      .where("revokedAt", "is", null)
      .execute();
  else
    await db
      .deleteFrom("session")
      .where("userId", "=", userId)
      .where("tokenHash", "!=", spared)
      .execute();
};

/** Has a live session work in an organization, or in none; false when there is none. */
export const updateActiveOrganization = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
  organizationId: string | null,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ activeOrganizationId: organizationId })
    .where("tokenHash", "=", tokenHash)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Those of some users who have a live session that works in an organization. */
export const listOrganizationHolders = async (
  db: Kysely<Tables>,
  userIds: readonly string[],
  organizationId: string,
): Promise<string[]> => {
  const rows = await db
    .selectFrom("session")
    .select("userId")
    .distinct()
    .where("activeOrganizationId", "=", organizationId)
    .where("userId", "=", sql<string>`any(${[...userIds]}::text[])`)
    .where("revokedAt", "is", null)
    .execute();
  return rows.map(({ userId }) => userId);
};

/** Takes an organization from the live sessions of a user that work in it; false when none did. */
export const clearActiveOrganization = async (
  db: Kysely<Tables>,
  userId: string,
  organizationId: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ activeOrganizationId: null })
    .where("userId", "=", userId)
    .where("activeOrganizationId", "=", organizationId)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const listSessionRows = (
  db: Kysely<Tables>,
  userId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<StoredSession[]> =>
  db
    .selectFrom("session")
    .select(sessionColumns)
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .where("revokedAt", "is", null)
    .orderBy("createdAt", "desc")
    .orderBy(sql`id`)
    .limit(limit)
    .execute();
