import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../../db/tables.ts";
import { hasSecondFactor } from "../../db/has-second-factor.ts";

interface UserRole {
  id: string;
  role: string | null;
}

/** Returns the roles of a user and locks them until the transaction ends. */
export const lockRole = (trx: Kysely<Tables>, userId: string): Promise<UserRole | undefined> =>
  trx
    .selectFrom("user")
    .select(["id", "role"])
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();

/** Returns the roles of these users, in no particular order. Leaves out unknown ids. */
export const listRoles = (db: Kysely<Tables>, ids: readonly string[]): Promise<UserRole[]> =>
  db
    .selectFrom("user")
    .select(["id", "role"])
    .where("id", "=", sql<string>`any(${[...ids]}::text[])`)
    .execute();

/** Reads the roles of a caller and locks them until the transaction ends. Other readers do not wait. */
const lockCallerRole = (trx: Kysely<Tables>, id: string): Promise<UserRole | undefined> =>
  trx.selectFrom("user").select(["id", "role"]).where("id", "=", id).forShare().executeTakeFirst();

/**
 * Reads the roles of a caller and of the target user, and locks both until the transaction ends. Rows are locked in the
 * order of their ids, so that two users who act on each other do not deadlock.
 */
export const lockRoles = async (
  trx: Kysely<Tables>,
  { callerId, targetId }: { callerId: string; targetId: string },
): Promise<UserRole[]> => {
  const locked: (UserRole | undefined)[] = [];
  for (const id of [...new Set([callerId, targetId])].toSorted())
    locked.push(await (id === targetId ? lockRole(trx, id) : lockCallerRole(trx, id)));
  return locked.filter((row) => row !== undefined);
};

/** Serialises all changes that may remove an admin, until the transaction ends. */
export const lockAdmins = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('latchkey admins'))`.execute(trx);
};

/** The criteria for an admin. */
interface AdminMarks {
  adminRoles: readonly string[];
  adminUserIds: readonly string[];
}

const selectAdmins = (db: Kysely<Tables>, { adminRoles, adminUserIds }: AdminMarks) =>
  db
    .selectFrom("user")
    .where((eb) =>
      eb.or([
        sql<boolean>`string_to_array(role, ',') && ${[...adminRoles]}::text[]`,
        eb("id", "=", sql<string>`any(${[...adminUserIds]}::text[])`),
      ]),
    );

const selectAdmin = (db: Kysely<Tables>, marks: AdminMarks) =>
  selectAdmins(db, marks).select("id").limit(1);

/** Returns admins without a second factor, the oldest first. */
export const listAdminsLackingSecondFactor = (
  db: Kysely<Tables>,
  { limit, ...marks }: AdminMarks & { limit: number },
): Promise<{ id: string; email: string; role: string | null }[]> =>
  selectAdmins(db, marks)
    .select(["id", "email", "role"])
    .where((eb) => eb.not(hasSecondFactor))
    .orderBy("createdAt")
    .limit(limit)
    .execute();

/** Returns an admin, banned or not. */
export const findAdmin = (
  db: Kysely<Tables>,
  marks: AdminMarks,
): Promise<{ id: string } | undefined> => selectAdmin(db, marks).executeTakeFirst();

/** Returns an admin other than this user who is not banned. */
export const findOtherAdmin = (
  trx: Kysely<Tables>,
  { than, now, ...marks }: AdminMarks & { than: string; now: Date },
): Promise<{ id: string } | undefined> =>
  selectAdmin(trx, marks)
    .where("id", "!=", than)
    .where((eb) => eb.or([eb("banned", "=", false), eb("banExpires", "<=", now)]))
    .executeTakeFirst();
