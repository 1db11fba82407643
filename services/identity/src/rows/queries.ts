import type { Kysely, Selectable } from "kysely";
import { conditionSql } from "../db/condition-sql.ts";
import { planAnew } from "@latchkey/service-kit";
import type { AccountTable, Tables } from "../db/tables.ts";
import { userColumns, type UserRow } from "../users/user-row.ts";
import type { Condition } from "./read-condition.ts";

export interface Search {
  conditions: readonly Condition[];
  limit: number;
}

/** Returns the users who match every condition, oldest first. */
export const listUsersWhere = (
  db: Kysely<Tables>,
  { conditions, limit }: Search,
): Promise<UserRow[]> =>
  planAnew<UserRow>(
    db,
    db
      .selectFrom("user")
      .select(userColumns)
      .where((eb) => eb.and(conditions.map(conditionSql)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );

/** An account without its secrets. */
export type ShownAccount = Pick<
  AccountTable,
  "id" | "userId" | "providerId" | "accountId" | "createdAt" | "updatedAt"
>;

/** Returns the accounts that match every condition, oldest first, without their secrets. */
export const listAccountsWhere = (
  db: Kysely<Tables>,
  { conditions, limit }: Search,
): Promise<Selectable<ShownAccount>[]> =>
  planAnew(
    db,
    db
      .selectFrom("account")
      .select(["id", "userId", "providerId", "accountId", "createdAt", "updatedAt"])
      .where((eb) => eb.and(conditions.map(conditionSql)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );
