import type { PersonExport } from "@latchkey/contracts";
import { sql, type Transaction } from "kysely";
import { schema } from "../db/schema.ts";
import type { Tables } from "../db/tables.ts";
import type { UserRow } from "../users/user-row.ts";

export type Trx = Transaction<Tables>;

type Dated<T> = { [Name in keyof T]: T[Name] | Date };

/** Selects the accounts of a user without password and tokens, oldest first. */
export const selectAccounts = (userId: string) => sql<Dated<PersonExport["accounts"][number]>>`
  select id, provider_id, account_id, scope, password is not null as has_password,
    access_token_expires_at, refresh_token_expires_at, created_at, updated_at
  from ${sql.id(schema, "account")} where user_id = ${userId} order by created_at, id`;

/** Selects the id of every user. */
export const selectUserIds = () => sql<{ id: string }>`select id from ${sql.id(schema, "user")}`;

/** Returns users by their ids, in no particular order, with the columns that an earlier schema also has. */
export const listUsersOfSessions = async (trx: Trx, ids: readonly string[]): Promise<UserRow[]> => {
  const rows = await trx
    .selectFrom("user")
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::text[])`)
    .execute();
  return rows.map(({ nameKey: _, emailKey: _email, sessionsEndedAt: _ended, ...user }) => user);
};
