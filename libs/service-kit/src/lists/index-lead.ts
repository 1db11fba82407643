import { sql } from "kysely";
import type { ListCondition, Sql } from "./list.ts";

/** Matches rows whose column has a value. The column leads an index that continues with the sort key and the id. */
export const equalsLead = (column: Sql, value: Sql): ListCondition => ({
  sql: sql`${column} = ${value}`,
  lead: { columns: [column], values: sql`select ${value}` },
});

interface LooseScan {
  table: Sql;
  /** The leading columns of the index, each with its value. */
  fixed: readonly (readonly [column: Sql, value: Sql])[];
  /** The next columns of the index. None is null in any row, except that a single one skips rows without a value. */
  columns: readonly [Sql, ...Sql[]];
  /** The beginning of the first of these columns. */
  prefix?: string;
}

/**
 * Selects the combinations of values that occur in index columns, as `value0`, `value1` and so on. A loose index scan finds them with
 * one look-up each, because they are few however many rows there are.
 */
export const looseScan = ({ table, fixed, columns, prefix = "" }: LooseScan): Sql => {
  const fixedColumns = fixed.map(([column]) => column);
  const fixedValues = fixed.map(([, value]) => value);
  const names = columns.map((_, index) => sql.id(`value${index}`));
  const order = sql.join([...fixedColumns, ...columns]);
  const selected = sql.join(columns.map((column, index) => sql`${column} as ${names[index]}`));
  const withinFixed = fixed.map(([column, value]) => sql` and ${column} <= ${value}`);
  const next = (condition: Sql) => sql`
    select ${selected} from ${table} where ${condition}${sql.join(withinFixed, sql``)}
    order by ${order} limit 1`;
  const start = sql`(${sql.join([...fixedColumns, columns[0]])}) >= (${sql.join([...fixedValues, sql`${prefix}::text`])})`;
  const last = [...fixedValues, ...names.map((name) => sql`present.${name}`)];
  return sql`
    with recursive present as (
      (${next(start)})
      union all
      select next.* from present
      cross join lateral (${next(sql`(${order}) > (${sql.join(last)})`)}) as next
      where starts_with(present.value0, ${prefix})
    )
    select * from present where starts_with(present.value0, ${prefix})`;
};
