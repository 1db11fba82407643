import { columnTypes, withoutColumns } from "@latchkey/service-kit/database";
import type { ImportTarget, ImportModel } from "@latchkey/service-kit/import";
import { type Kysely, sql } from "kysely";
import { schema } from "../db/schema.ts";
import { passkeyColumns } from "../db/passkey-tables.ts";
import { twoFactorRowColumns } from "../db/second-factor-tables.ts";
import { type Tables, userColumns } from "../db/tables.ts";
import { hasUserOf } from "../sessions/queries.ts";
import { userSelection, type UserRow } from "../users/user-row.ts";
import { importedColumns } from "./imported-rows.ts";

const hasUser = hasUserOf(sql`given.user_id`);

export const importedUsers: ImportTarget = {
  schema,
  table: "user",
  columns: withoutColumns(userColumns, "revision"),
  onUpdate: sql`revision = t.revision + 1`,
  untouchedIf: sql<boolean>`t.sessions_ended_at is null`,
};

export const importedAccounts: ImportTarget = {
  schema,
  table: "account",
  columns: { ...importedColumns.account, provisioned: columnTypes.boolean },
  guard: hasUser,
};

export const importedVerifications: ImportTarget = {
  schema,
  table: "verification",
  columns: importedColumns.verification,
  guard: hasUserOf(sql`given.value`),
};

const { userId, secretSealed, sealedBy } = twoFactorRowColumns;

export const importedTwoFactors: ImportTarget = {
  schema,
  table: "two_factor",
  columns: { userId, secretSealed, sealedBy },
  keyColumn: sql<string>`t.user_id`,
  guard: hasUser,
  belongings: sql<string | null>`(
    select string_agg(code.id, ' ' order by code.id collate "C") from ${sql.id(schema, "backup_code")} as code
    where code.user_id = t.user_id and not code.is_pending)`,
};

export const importedPasskeys: ImportTarget = {
  schema,
  table: "passkey",
  columns: withoutColumns(passkeyColumns, "lastUsedAt"),
  guard: hasUser,
};

/** Returns which passkeys have these credential ids. */
export const listPasskeyClaims = (
  db: Kysely<Tables>,
  credentialIds: readonly Buffer[],
): Promise<{ id: string; credentialId: Buffer }[]> =>
  db
    .selectFrom("passkey")
    .select(["id", "credentialId"])
    .where(sql<boolean>`credential_id = any(${[...credentialIds]}::bytea[])`)
    .execute();

/** Locks users and their backup codes, so that no code is used meanwhile. */
export const lockBackupCodes = async (
  trx: Kysely<Tables>,
  userIds: readonly string[],
): Promise<void> => {
  for (const [table, column] of [
    ["user", "id"],
    ["backup_code", "user_id"],
  ] as const)
    await sql`select from ${sql.id(schema, table)} where ${sql.id(column)} = any(${[...userIds]}::text[])
      order by id for update`.execute(trx);
};

/** Returns which users have these ids, addresses, usernames and phone numbers. */
export const listUserClaims = (
  db: Kysely<Tables>,
  {
    ids,
    emails,
    usernames,
    phoneNumbers,
  }: { ids: string[]; emails: string[]; usernames: string[]; phoneNumbers: string[] },
): Promise<Pick<UserRow, "id" | "email" | "phoneNumber" | "username">[]> =>
  db
    .selectFrom("user")
    .select(["id", "email", "phoneNumber", "username"])
    .where((eb) =>
      eb.or([
        eb("id", "=", sql<string>`any(${ids}::text[])`),
        eb("email", "=", sql<string>`any(${emails}::text[])`),
        eb("username", "=", sql<string>`any(${usernames}::text[])`),
        eb("phoneNumber", "=", sql<string>`any(${phoneNumbers}::text[])`),
      ]),
    )
    .execute();

/** Returns which users have these accounts at providers. */
export const listAccountClaims = (
  db: Kysely<Tables>,
  { providerIds, accountIds }: { providerIds: string[]; accountIds: string[] },
): Promise<{ id: string; providerId: string; accountId: string }[]> =>
  db
    .selectFrom("account")
    .select(["id", "providerId", "accountId"])
    .where(
      sql<boolean>`(provider_id, account_id) in (select * from unnest(${providerIds}::text[], ${accountIds}::text[]))`,
    )
    .execute();

/** Returns the rows of these users, in no particular order. */
export const listUserRows = (db: Kysely<Tables>, ids: readonly string[]): Promise<UserRow[]> =>
  db
    .selectFrom("user")
    .select(userSelection)
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();

/** Returns which of these users were claimed by someone who proved their address. */
export const listClaimedUserIds = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await db
    .selectFrom("user")
    .select("id")
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .where("sessionsEndedAt", "is not", null)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** Returns the ids of the signing keys that are not retired. */
export const listCurrentKeyIds = async (db: Kysely<Tables>): Promise<string[]> => {
  const rows = await db
    .selectFrom("signingKey")
    .select("id")
    .where("retiredAt", "is", null)
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns which of these signing keys exist. */
export const listSigningKeyIds = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom("signingKey")
    .select("id")
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns which of these imported users were deleted here, and which were claimed by someone who proved their address. */
export const listLostUsers = async (
  db: Kysely<Tables>,
  { source, model, keys }: ImportModel & { keys: readonly string[] },
): Promise<{ key: string; isGone: boolean }[]> => {
  const { rows } = await sql<{ key: string; isGone: boolean }>`
    select known.key, u.id is null as is_gone
    from ${sql.id(schema, "taken")} as known left join ${sql.id(schema, "user")} as u on u.id = known.key
    where known.source = ${source} and known.model = ${model} and known.key = any(${[...keys]}::text[])
      and (u.id is null or u.sessions_ended_at is not null)`.execute(db);
  return rows;
};
