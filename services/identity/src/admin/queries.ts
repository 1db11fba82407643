import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../db/tables.ts";

/** The roles of a user, who gets no others until the transaction ends. */
export const lockRole = (
  trx: Kysely<Tables>,
  userId: string,
): Promise<{ id: string; role: string | null } | undefined> =>
  trx
    .selectFrom("user")
    .select(["id", "role"])
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();

/** Waits for whoever else is about to lose an admin, and keeps others waiting until the transaction ends. */
export const lockAdmins = async (trx: Kysely<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('latchkey admins'))`.execute(trx);
};

/** What makes a user an admin. */
interface AdminMarks {
  adminRoles: readonly string[];
  adminUserIds: readonly string[];
}

const selectAdmin = (db: Kysely<Tables>, { adminRoles, adminUserIds }: AdminMarks) =>
  db
    .selectFrom("user")
    .select("id")
    .where((eb) =>
      eb.or([
        sql<boolean>`string_to_array(role, ',') && ${[...adminRoles]}::text[]`,
        eb("id", "=", sql<string>`any(${[...adminUserIds]}::text[])`),
      ]),
    )
    .limit(1);

/** Somebody who is an admin, be they banned. */
export const findAdmin = (
  db: Kysely<Tables>,
  marks: AdminMarks,
): Promise<{ id: string } | undefined> => selectAdmin(db, marks).executeTakeFirst();

/** An admin besides a user who can act now, so is not banned. */
export const findOtherAdmin = (
  trx: Kysely<Tables>,
  { than, now, ...marks }: AdminMarks & { than: string; now: Date },
): Promise<{ id: string } | undefined> =>
  selectAdmin(trx, marks)
    .where("id", "!=", than)
    .where((eb) => eb.or([eb("banned", "=", false), eb("banExpires", "<=", now)]))
    .executeTakeFirst();
