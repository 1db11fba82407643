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

interface UserFilter {
  conditions: readonly Condition[];
  role: Condition | undefined;
  /** At least one of each group holds. */
  alternatives: readonly (readonly Condition[])[];
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
  where: ({ conditions, role, alternatives, sortBy }) => [
    ...conditions.map((condition) => toListCondition(condition, sortBy)),
    role &&
      (conditions.length > 0
        ? { sql: conditionSql(role), isSearch: true }
        : toListCondition(role, sortBy)),
    ...alternatives.map(toSearch),
  ],
});
