import type { PersonExport } from "@latchkey/contracts";
import { namesOf, picker, type RowOf, withoutColumns } from "@latchkey/service-kit/database";
import { type Kysely, sql, type Transaction } from "kysely";
import { schema } from "../db/schema.ts";
import { accountColumns, type Tables, userColumns } from "../db/tables.ts";
import type { UserRow } from "../users/user-row.ts";

export type Trx = Transaction<Tables>;

const shownAccountColumns = withoutColumns(
  accountColumns,
  "userId",
  "password",
  "accessToken",
  "refreshToken",
  "idToken",
);

/** Selects the accounts of a user without password and tokens, oldest first. */
export const selectAccounts = (userId: string) => sql<
  RowOf<typeof shownAccountColumns> & Pick<PersonExport["accounts"][number], "hasPassword">
>`
  select ${sql.join(namesOf(shownAccountColumns).map((name) => sql.ref(name)))},
    password is not null as has_password
  from ${sql.id(schema, "account")} where user_id = ${userId} order by created_at, id`;

/** Returns the browsers in which a user has signed in, without their values, oldest first. */
export const listKnownBrowsersOf = (db: Kysely<Tables>, userId: string) =>
  db
    .selectFrom("knownBrowser")
    .select(["createdAt", "lastSeenAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .execute();

/** Returns the uploaded picture of a user. */
export const findPictureOf = async (db: Kysely<Tables>, userId: string) => {
  const row = await db
    .selectFrom("picture")
    .select(["contentType", "bytes"])
    .where("ownerId", "=", userId)
    .executeTakeFirst();
  return row && { contentType: row.contentType, base64: row.bytes.toString("base64") };
};

/** Returns the passkeys of a user without their keys, oldest first. */
export const listPasskeysOf = (db: Kysely<Tables>, userId: string) =>
  db
    .selectFrom("passkey")
    .select(["id", "name", "deviceType", "backedUp", "createdAt", "lastUsedAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

/** Returns the state of a user's second factor. Returns undefined if the user never set one up. */
export const findSecondFactorState = async (db: Kysely<Tables>, userId: string) => {
  const { rows } = await sql<PersonExport["secondFactors"][number]>`
    select (app.secret_sealed is not null) as "hasApp", coalesce(codes.count, 0) as "backupCodesLeft",
      app.enabled_at as "enabledAt", app.locked_until as "lockedUntil"
    from (select * from ${sql.id(schema, "two_factor")} where user_id = ${userId}) as app
    full join (select user_id, count(*)::integer as count from ${sql.id(schema, "backup_code")}
      where user_id = ${userId} and not is_pending group by user_id) as codes on true`.execute(db);
  return rows[0];
};

/** Returns the trusted browsers of a user, oldest first. */
export const listTrustedDevicesOf = (db: Kysely<Tables>, userId: string) =>
  db
    .selectFrom("trustedDevice")
    .select(["id", "ipAddress", "userAgent", "createdAt", "lastUsedAt", "expiresAt"])
    .where("userId", "=", userId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

/** Returns the refused sign-ins of a user, oldest first. */
export const listRefusedSignInsOf = (db: Kysely<Tables>, userId: string) =>
  db
    .selectFrom("refusedSignIn")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["ipAddress", "reason", "count", "firstAt", "lastAt"])
    .where("userId", "=", userId)
    .orderBy("firstAt")
    .orderBy("id")
    .execute();

/** Returns the last sign-in of a user, or undefined if none is stored. */
export const findLastSignInOf = (db: Kysely<Tables>, userId: string) =>
  db
    .selectFrom("lastSignIn")
    .select(["signedInAt", "methods", "ipAddress", "userAgent"])
    .where("userId", "=", userId)
    .executeTakeFirst();

/** Selects the id of every user. */
export const selectUserIds = () => sql<{ id: string }>`select id from ${sql.id(schema, "user")}`;

const pickUser = picker<UserRow>(namesOf(userColumns));

/** Returns users by their ids, in no particular order, with the columns that an earlier schema also has. */
export const listUsersOfSessions = async (trx: Trx, ids: readonly string[]): Promise<UserRow[]> => {
  const rows = await trx
    .selectFrom("user")
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
  return rows.map(pickUser);
};
