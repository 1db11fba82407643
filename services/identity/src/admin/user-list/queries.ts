import { type RawBuilder, sql, type SqlBool } from "kysely";
import {
  type List,
  type ListCondition,
  type ListKey,
  selectColumns,
} from "@latchkey/service-kit/lists";
import {
  keySql,
  keyTypeOf,
  conditionSql,
  selectiveSql,
  leadOfCondition,
} from "../../users/search/queries.ts";

import { schema } from "../../db/schema.ts";
import type { Column, Columns } from "../../users/search/columns.ts";
import type { Condition } from "../../users/search/read-condition.ts";
import { isSearch, isWellKnown } from "../../users/search/search-rules.ts";
import { userSelection, type UserRow } from "../../users/user-row.ts";

/** The sort columns with an index on their key and the id. */
const indexed: ReadonlySet<string> = new Set(["createdAt", "email", "id", "name", "updatedAt"]);

const keyOf = (column: Column): ListKey => ({
  sql: keySql(column),
  type: keyTypeOf(column),
  isIndexed: !column.isField && indexed.has(column.name),
});

const toListCondition = (condition: Condition, sortBy: string): ListCondition => {
  const lead = leadOfCondition(condition, sortBy);
  return {
    sql: conditionSql(condition),
    selective: selectiveSql(condition),
    ...(lead ? { lead } : { isSearch: isSearch(condition), isMeasured: isWellKnown(condition) }),
  };
};

const eitherOf = (alternatives: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(alternatives, sql` or `)})`;

/** Combines the indexes of the alternatives. Statistics predict the matches as well as those of addresses and names. */
const toSearch = (alternatives: readonly Condition[]): ListCondition => ({
  sql: eitherOf(alternatives.map(conditionSql)),
  selective: eitherOf(alternatives.map(selectiveSql)),
  isSearch: true,
  isMeasured: true,
});

const tableOf = (name: string) => sql.id(schema, name);
const user = tableOf("user");

/** Matches users with a way in. The index of accounts by provider finds the few of a rare one, and that by user one of many. */
const hasWayIn = (way: string): ListCondition => ({
  sql:
    way === "passkey"
      ? sql`${user}.id in (select held.user_id from ${tableOf("passkey")} as held)`
      : sql`${user}.id in (select held.user_id from ${tableOf("account")} as held
          where held.provider_id = ${way === "password" ? "credential" : way}
            ${way === "password" ? sql`and held.password is not null` : sql``})`,
});

/** Matches the users who last signed in from an IP address. */
const signedInFrom = (ipAddress: string): ListCondition => ({
  sql: sql`${user}.id in (select last.user_id from ${tableOf("last_sign_in")} as last where last.ip_address = ${ipAddress})`,
  isSearch: true,
});

interface UserFilter {
  conditions: readonly Condition[];
  role: Condition | undefined;
  /** At least one of each group holds. */
  alternatives: readonly (readonly Condition[])[];
  /** The address of the last sign-in. */
  ipAddress: string | undefined;
  wayIn: string | undefined;
  sortBy: string;
}

/**
 * All users, oldest first by default, sortable by the given columns. A role beside another condition does not lead: few of the many users of a
 * role may match, and the other condition finds them.
 */
export const userListOf = (columns: Columns): List<UserRow, UserFilter> => ({
  schema,
  table: "user",
  select: selectColumns(userSelection),
  keys: Object.fromEntries([...columns].map(([name, column]) => [name, keyOf(column)])),
  order: { by: "createdAt", direction: "asc" },
  where: ({ conditions, role, alternatives, ipAddress, wayIn, sortBy }) => [
    ...conditions.map((condition) => toListCondition(condition, sortBy)),
    role &&
      (conditions.length > 0
        ? { sql: conditionSql(role), isSearch: true }
        : toListCondition(role, sortBy)),
    ...alternatives.map(toSearch),
    ipAddress !== undefined && signedInFrom(ipAddress),
    wayIn !== undefined && hasWayIn(wayIn),
  ],
});
