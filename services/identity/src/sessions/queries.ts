import { compileOnce } from "@latchkey/service-kit";
import type { Insertable, Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../db/tables.ts";
import { userColumns, type UserRow } from "../users/user-row.ts";
import type { StoredSession } from "./session-store.ts";

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
] as const;

/** Writes a session and its audit row in one statement. Rejects with a missing reference when the user is gone. */
export const insertSession = async (
  db: Kysely<Tables>,
  session: StoredSession,
  audit: Insertable<Tables["audit"]>,
): Promise<void> => {
  await db
    .with("started", (cte) => cte.insertInto("session").values(session))
    .insertInto("audit")
    .values(audit)
    .execute();
};

type SessionWithUser = Omit<StoredSession, "id" | "createdAt" | "updatedAt"> &
  UserRow & { sessionId: string; sessionCreatedAt: Date; sessionUpdatedAt: Date };

const selectSession = compileOnce<Tables, { tokenHash: Buffer }, SessionWithUser>((db, param) =>
  db
    .selectFrom("session")
    .innerJoin("user", "user.id", "session.userId")
    .select([
      "session.id as sessionId",
      "session.tokenHash",
      "session.tokenSealed",
      "session.userId",
      "session.expiresAt",
      "session.createdAt as sessionCreatedAt",
      "session.updatedAt as sessionUpdatedAt",
      "session.ipAddress",
      "session.userAgent",
      ...userColumns,
    ])
    .where("session.tokenHash", "=", param("tokenHash"))
    .where("session.revokedAt", "is", null),
);

/** The session of a token, unless it is revoked, with its user. */
export const findSession = async (
  db: Kysely<Tables>,
  tokenHash: Buffer,
): Promise<{ session: StoredSession; user: UserRow } | undefined> => {
  const [row] = await selectSession(db, { tokenHash });
  if (!row) return undefined;
  return {
    session: {
      id: row.sessionId,
      tokenHash: row.tokenHash,
      tokenSealed: row.tokenSealed,
      userId: row.userId,
      expiresAt: row.expiresAt,
      createdAt: row.sessionCreatedAt,
      updatedAt: row.sessionUpdatedAt,
      ipAddress: row.ipAddress,
      userAgent: row.userAgent,
    },
    user: {
      id: row.id,
      name: row.name,
      email: row.email,
      emailVerified: row.emailVerified,
      image: row.image,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      revision: row.revision,
    },
  };
};

/** Moves the expiry of a live session that nobody has moved since `seenUpdatedAt`; one of many at once wins. */
export const updateSessionExpiry = async (
  db: Kysely<Tables>,
  change: { tokenHash: Buffer; seenUpdatedAt: Date; expiresAt: Date; updatedAt: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ expiresAt: change.expiresAt, updatedAt: change.updatedAt })
    .where("tokenHash", "=", change.tokenHash)
    .where("updatedAt", "=", change.seenUpdatedAt)
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

const noHash = Buffer.alloc(0);

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
