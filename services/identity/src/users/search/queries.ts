import type { Kysely } from "kysely";
import { conditionSql } from "../../db/condition-sql.ts";
import { namesOf, planAnew, type RowOf } from "@latchkey/service-kit";
import { shownAccountColumns, type Tables } from "../../db/tables.ts";
import { userSelection, type UserRow } from "../user-row.ts";
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
      .select(userSelection)
      .where((eb) => eb.and(conditions.map(conditionSql)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );

/** Returns the accounts that match every condition, oldest first, without their secrets. */
export const listAccountsWhere = (
  db: Kysely<Tables>,
  { conditions, limit }: Search,
): Promise<RowOf<typeof shownAccountColumns>[]> =>
  planAnew(
    db,
    db
      .selectFrom("account")
      .select(namesOf(shownAccountColumns))
      .where((eb) => eb.and(conditions.map(conditionSql)))
      .orderBy("createdAt")
      .orderBy("id")
      .limit(limit),
  );
