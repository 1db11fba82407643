import { type List, type ListCondition, type ListKey, selectColumns } from "@latchkey/service-kit";
import { keySql, keyTypeOf } from "../../db/column-sql.ts";
import { leadOfCondition } from "../../db/condition-lead.ts";
import { conditionSql, selectiveSql } from "../../db/condition-sql.ts";
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

/** All users, oldest first by default, sortable by the given columns. */
export const userListOf = (
  columns: Columns,
): List<UserRow, { conditions: readonly Condition[]; sortBy: string }> => ({
  schema,
  table: "user",
  select: selectColumns(userSelection),
  keys: Object.fromEntries([...columns].map(([name, column]) => [name, keyOf(column)])),
  order: { by: "createdAt", direction: "asc" },
  where: ({ conditions, sortBy }) =>
    conditions.map((condition) => toListCondition(condition, sortBy)),
});
