import type { PersonExport } from "@latchkey/contracts";
import { namesOf, picker, type RowOf, withoutColumns } from "@latchkey/service-kit";
import { sql, type Transaction } from "kysely";
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
